#include "unroll/report/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/file.h"
#include "core/text.h"
#include "data/validate.h"
#include "report/page_frame.h"
#include "report/page_points.h"
#include "report/page_text.h"
#include "unroll/version.h"

namespace unroll {
namespace {

/// "Isomap: seconds 0.123, trustworthiness 0.9876", for those who do not see the picture.
std::string spoken(const ComparedMethod& method, const std::vector<Figure>& all, std::size_t at) {
  std::vector<std::string> words;
  for (const Figure& figure : all)
    if (figure.values[at]) words.push_back(fmt::format("{} {}", figure.name, figure.text(figure.values[at])));
  std::string text = fmt::format("Map of {}: {}", method.title, joined(words));
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

bool is_best(const Figure& figure, const std::vector<bool>& worthless, std::size_t at) {
  return figure.is_best(at) && !worthless[at];
}

std::string figure_list(const std::vector<Figure>& all, const std::vector<bool>& worthless, std::size_t at) {
  std::string text = "<dl>";
  for (const Figure& figure : all) {
    if (!figure.values[at]) continue;
    text += fmt::format("<div title=\"{}\"{}><dt>{}</dt><dd>{}</dd></div>", html_text(figure.meaning),
                        is_best(figure, worthless, at) ? " class=\"best\"" : "", html_text(figure.title),
                        html_text(figure.text(figure.values[at])));
  }
  return text + "</dl>";
}

/// "isomap", and beside it what tells it from others of that name: "k=20".
std::string heading_text(const ComparedMethod& method) {
  const std::size_t colon = std::min(method.label.find(':'), method.label.size());
  std::string own;
  for (const char c : method.label.substr(std::min(colon + 1, method.label.size())))
    own += c == ',' ? ", " : std::string(1, c);
  const std::string name = html_text(method.label.substr(0, colon));
  return own.empty() ? name : fmt::format("{} <span>{}</span>", name, html_text(own));
}

std::string panel_text(const Comparison& comparison, const PagePoints& points, const std::vector<Figure>& all,
                       const std::vector<bool>& worthless, std::size_t at) {
  const ComparedMethod& method = comparison.methods[at];
  const std::string title = html_text(method.title);
  const std::string caption =
      fmt::format("<figcaption><h3>{0}</h3><p title=\"{1}\">{1}</p></figcaption>\n", heading_text(method), title);
  if (method.error)
    return fmt::format("<figure>{}<p class=\"failed\">{}</p>\n</figure>\n", caption, html_text(method.error->what()));
  const Panel& panel = *points.panels[at];
  std::string colors, note;
  if (panel.coloring) {
    colors = fmt::format(" data-coloring=\"{}\"", *panel.coloring);
    if (panel.map != at)
      note = fmt::format("<p class=\"note\">clusters, on the map of {}</p>\n",
                         html_text(comparison.methods[panel.map].label));
  }
  if (worthless[at]) note += "<p class=\"poor\">keeps hardly more than a random map</p>\n";
  return fmt::format(
      "<figure data-method=\"{}\"{}>{}<div class=\"map\"><canvas data-map=\"{}\"{} tabindex=\"0\" role=\"img\" "
      "aria-label=\"{}\"></canvas></div>\n{}{}\n</figure>\n",
      at, worthless[at] ? " class=\"worthless\"" : "", caption, panel.map, colors, html_text(spoken(method, all, at)),
      note, figure_list(all, worthless, at));
}

/// The points as they are, if they can be seen.
std::string original_text(PointsView points) {
  if (!can_be_seen(points)) return "";
  const std::string_view how = points.cols() == 3 ? "3 features; drag to turn" : "2 features";
  return fmt::format(
      "<figure><figcaption><h3>original data</h3><p>{0}</p></figcaption>\n<div class=\"map\"><canvas "
      "data-map=\"original\" tabindex=\"0\" role=\"img\" aria-label=\"The original data\"></canvas></div>\n</figure>\n",
      how);
}

/// The error of a method, or its warnings.
std::string notes_of(const ComparedMethod& method) {
  if (method.error) return fmt::format("failed: {}", method.error->what());
  std::vector<std::string> messages;
  for (const Warning& warning : method.warnings) messages.push_back(warning.message);
  return joined(messages, "; ");
}

/// A row of the table that no method has made.
std::string baseline_text(std::string_view name, const std::vector<Figure>& all, std::optional<double> Figure::*value) {
  if (std::none_of(all.begin(), all.end(), [&](const Figure& figure) { return (figure.*value).has_value(); }))
    return "";
  std::string text = fmt::format("<tr><th scope=\"row\">{}</th>", name);
  for (const Figure& figure : all) text += fmt::format("<td>{}</td>", html_text(figure.text(figure.*value)));
  return text + "</tr>\n";
}

std::string table_text(const Comparison& comparison, const std::vector<Figure>& all,
                       const std::vector<bool>& worthless) {
  std::string text = R"(<table><thead><tr><th scope="col">method</th>)";
  for (const Figure& figure : all)
    text += fmt::format(R"(<th scope="col" title="{}">{}</th>)", html_text(figure.meaning), html_text(figure.title));
  text += "</tr></thead>\n<tbody>\n";
  for (std::size_t i = 0; i < comparison.methods.size(); ++i) {
    const ComparedMethod& method = comparison.methods[i];
    text += fmt::format("<tr{}><th scope=\"row\">{}</th>", worthless[i] ? " class=\"worthless\"" : "",
                        html_text(method.label));
    for (const Figure& figure : all)
      text += fmt::format("<td{}>{}</td>", is_best(figure, worthless, i) ? " class=\"best\"" : "",
                          html_text(figure.text(figure.values[i])));
    text += "</tr>\n";
  }
  return text + fmt::format("</tbody>\n<tfoot>\n{}{}</tfoot></table>",
                            baseline_text("a random map", all, &Figure::random),
                            baseline_text("the data", all, &Figure::data));
}

std::string verdict_text(const Comparison& comparison) {
  std::string text;
  for (const std::string& sentence : verdict(comparison)) text += fmt::format("<li>{}</li>\n", html_text(sentence));
  return text.empty() ? text : fmt::format("<ul class=\"verdict\">\n{}</ul>\n", text);
}

std::string list_text(const std::vector<std::string>& sentences) {
  std::string text = "<ul>\n";
  for (const std::string& sentence : sentences) text += fmt::format("<li>{}</li>\n", html_text(sentence));
  return text + "</ul>\n";
}

/// Which map to take and why, and how to read it.
std::string advice_text(const Comparison& comparison, const PageSection& section) {
  if (section.advised.empty()) return "";
  std::string text = fmt::format("<div class=\"advice\"><h3>Advice: take {}</h3>\n{}", html_text(section.advised),
                                 list_text(section.advice));
  for (std::size_t i = 0; i < section.reading.size(); ++i)
    if (comparison.methods[i].label == section.advised && !section.reading[i].empty())
      text += "<h4>Reading its map</h4>\n" + list_text(section.reading[i]);
  return text + "</div>\n";
}

/// The notes stand below the table, where lines have the width of the page.
std::string notes_text(const Comparison& comparison) {
  std::string text;
  for (const ComparedMethod& method : comparison.methods)
    if (const std::string notes = notes_of(method); !notes.empty())
      text += fmt::format("<li><b>{}</b>: {}</li>\n", html_text(method.label), html_text(notes));
  for (const std::string& note : comparison.notes) text += fmt::format("<li>{}</li>\n", html_text(note));
  return text.empty() ? text : fmt::format("<ul class=\"notes\">\n{}</ul>\n", text);
}

/// "k=10, d=2" of every method, for those who want to run one by itself.
std::string parameters_text(const Comparison& comparison) {
  std::string text;
  for (const ComparedMethod& method : comparison.methods) {
    std::vector<std::string> options;
    for (const auto& [name, value] : method.options) options.push_back(fmt::format("{}={}", name, to_text(value)));
    text += fmt::format("<tr><td>{}</td><td>{}</td></tr>\n", html_text(method.label), html_text(joined(options)));
  }
  return fmt::format(
      "<details class=\"parameters\"><summary>Parameters</summary><table><tbody>\n{}</tbody></table>"
      "</details>\n",
      text);
}

std::string facts_text(const Comparison& comparison, const PagePoints& points) {
  std::string text = fmt::format("{} points of {} features; neighborhoods of {}", comparison.n_points,
                                 comparison.n_features, comparison.n_neighbors);
  if (comparison.measured_points > 0 && comparison.measured_points < comparison.n_points)
    text += fmt::format(", measured on {} points", comparison.measured_points);
  if (std::ssize(points.rows) < comparison.n_points)
    text += fmt::format("; {} points, chosen at random, are drawn", points.rows.size());
  if (std::ssize(comparison.methods) < comparison.planned)
    text += fmt::format("; stopped on request, {} of {} methods are finished", comparison.methods.size(),
                        comparison.planned);
  return text;
}

std::string section_text(const Comparison& comparison, const PageSection& section) {
  check_section(comparison, section);
  const PagePoints points = page_points(comparison, section);
  const std::vector<Figure> all = page_figures(comparison);
  const std::vector<bool> worthless = worthless_maps(comparison);
  const std::string title = html_text(section.title);
  std::string panels = original_text(section.points);
  for (std::size_t i = 0; i < comparison.methods.size(); ++i)
    panels += panel_text(comparison, points, all, worthless, i);
  const std::string command =
      section.command.empty() ? ""
                              : fmt::format("<p class=\"command\"><code>{}</code></p>\n", html_text(section.command));
  return fmt::format(
      "<section aria-label=\"{0}\">\n<h2>{0}</h2>\n<p class=\"facts\">{1}</p>\n{2}{3}{10}<div class=\"key\"></div>\n"
      "<div class=\"panels\">\n{4}</div>\n<div class=\"figures\">{5}</div>\n{6}<div class=\"charts\"></div>\n{7}"
      "<p class=\"made\">unroll {8}</p>\n<script type=\"application/json\">{9}</script>\n</section>\n",
      title, html_text(facts_text(comparison, points)), command, verdict_text(comparison), panels,
      table_text(comparison, all, worthless), notes_text(comparison), parameters_text(comparison), version(),
      points.json, advice_text(comparison, section));
}

}  // namespace

void check_section(const Comparison& comparison, const PageSection& section) {
  const auto check = [&](Index got, std::string_view what) {
    if (got != 0 && got != comparison.n_points)
      throw Error(ErrorKind::InvalidData, {.who = "page",
                                           .problem = fmt::format("{} points were compared, but there are {} of {}",
                                                                  comparison.n_points, what, got),
                                           .advice = "give one per point"});
  };
  check(section.points.rows(), "rows");
  if (section.points.rows() != 0) check_points(section.points, 1, {});
  check(section.truth.rows(), "true coordinates");
  if (section.truth.rows() != 0) check_points(section.truth, 1, {}, "true coordinates");
  check(std::ssize(section.labels), "labels");
  check(std::ssize(section.numbers), "numbers");
  if (std::any_of(section.numbers.begin(), section.numbers.end(), [](double number) { return std::isinf(number); }))
    throw Error(
        ErrorKind::InvalidData,
        {.who = "page", .problem = "a number to color by is infinite", .advice = "give NaN where it is not known"});
  check(std::ssize(section.row_names), "names");
  if (!section.reading.empty() && section.reading.size() != comparison.methods.size())
    throw Error(ErrorKind::InvalidData, {.who = "page",
                                         .problem = fmt::format("{} methods were compared, but {} have reading aids",
                                                                comparison.methods.size(), section.reading.size()),
                                         .advice = "give a list per method"});
}

std::string comparison_page(const Comparison& comparison, const PageSection& section) {
  return with_section(empty_page(), "the template", section_text(comparison, section));
}

void check_page(const std::string& path) { with_section(page_of(path), path, ""); }

void write_page(const std::string& path, const Comparison& comparison, const PageSection& section, bool append) {
  const std::string page = append ? with_section(page_of(path), path, section_text(comparison, section))
                                  : comparison_page(comparison, section);
  AtomicFile file(path);
  file.write(page.data(), page.size());
  file.commit();
}

}  // namespace unroll
