#include "json_text.h"

#include "core/json.h"
#include "flag.h"
#include "process.h"
#include "unroll/version.h"
#include "verb.h"

namespace unroll::cli {
namespace {

constexpr const char* kSchema = "unroll/1";

JsonObject answer_of(std::string_view command) {
  return {{"schema", kSchema}, {"command", command}, {"version", version()}};
}

template <class T>
Json list_of(const std::vector<T>& entries, Json (*to_json)(const T&)) {
  std::vector<Json> list;
  list.reserve(entries.size());
  for (const T& entry : entries) list.push_back(to_json(entry));
  return list;
}

Json to_json(const OptionValue& value) {
  return std::visit(
      [](const auto& v) {
        if constexpr (std::is_same_v<std::decay_t<decltype(v)>, std::monostate>)
          return Json(nullptr);
        else
          return Json(v);
      },
      value);
}

Json to_json(const OptionValues& values) {
  JsonObject json;
  for (const auto& [name, value] : values) json.add(name, to_json(value));
  return json;
}

/// A matrix is reported by its shape only: it is in the model, and may be large.
Json to_json(const Attribute& attribute) {
  return std::visit(
      [](const auto& v) {
        if constexpr (std::is_same_v<std::decay_t<decltype(v)>, std::shared_ptr<const Array2<double>>>)
          return Json(JsonObject{{"shape", std::vector<std::int64_t>{v->rows(), v->cols()}}});
        else
          return Json(v);
      },
      attribute);
}

Json to_json(const Spectrum& spectrum) {
  if (spectrum.values.empty()) return nullptr;
  return JsonObject{{"values", spectrum.values},
                    {"residuals", spectrum.residuals},
                    {"solver", spectrum.solver},
                    {"iterations", spectrum.iterations}};
}

Json to_json(const Warning& warning) {
  return JsonObject{{"code", warning.code}, {"message", warning.message}, {"hint", warning.hint}};
}

Json seed_of(const OptionValues& options) {
  for (const auto& [name, value] : options)
    if (name == "random_state") return to_json(value);
  return nullptr;
}

std::string_view type_name(OptionType type) {
  switch (type) {
    case OptionType::Bool: return "bool";
    case OptionType::Integer: return "integer";
    case OptionType::Real: return "real";
    case OptionType::Text: return "text";
    case OptionType::Choice: return "choice";
  }
  return "?";
}

Json to_json(const OptionInfo& info) {
  const Flag flag = make_flag(info);
  JsonObject json{{"name", info.name},
                  {"flag", flag.name()},
                  {"short", flag.letter == 0 ? Json(nullptr) : Json(std::string{'-', flag.letter})},
                  {"alias", flag.alias.empty() ? Json(nullptr) : Json("--" + flag.alias)},
                  {"type", type_name(info.type)},
                  {"list", info.list},
                  {"optional", info.optional},
                  {"default", to_json(info.default_value)},
                  {"allowed", info.allowed()},
                  {"help", info.help}};
  if (info.type == OptionType::Choice) json.add("choices", info.choices);
  if (info.type == OptionType::Integer || info.type == OptionType::Real) {
    json.add("low", info.limits.low);
    json.add("low_open", info.limits.low_open);
    json.add("high", info.limits.high);
    json.add("high_open", info.limits.high_open);
  }
  return json;
}

Json to_json(const Method& method) {
  return JsonObject{{"name", method.name},
                    {"title", method.title},
                    {"aliases", method.aliases},
                    {"reference", method.reference},
                    {"kind", name_of(method.kind)},
                    {"transform_kind", name_of(method.transform)},
                    {"has_inverse", method.has_inverse},
                    {"sparse_input", method.takes_sparse()},
                    {"min_points", method.properties.min_points},
                    {"options", list_of(method.options, to_json)}};
}

Json to_json(const RecipeWords& row) {
  const bool is_callable = is_method(row.method);
  return JsonObject{{"row", row.method},          {"variant", row.variant.empty() ? Json(nullptr) : Json(row.variant)},
                    {"W", row.similarity},        {"density", row.density},
                    {"operator", row.operation},  {"order", row.order},
                    {"skip", row.skip},           {"coordinates", row.coordinates},
                    {"new_point", row.new_point}, {"method", is_callable ? Json(row.method) : Json(nullptr)}};
}

Json to_json(const Generator& generator) {
  return JsonObject{
      {"name", generator.name}, {"title", generator.title}, {"options", list_of(generator.options, to_json)}};
}

Json to_json(const Report::Output& output) {
  JsonObject json{{"content", output.content}, {"path", output.path}};
  if (output.content != "model" && output.content != "picture") {
    json.add("n", output.rows);
    json.add("d", output.cols);
  }
  return json;
}

void add_params(JsonObject& json, const OptionValues& params) {
  json.add("params", to_json(params));
  json.add("seed", seed_of(params));
}

void add_model(JsonObject& json, const Report& report) {
  const Model& model = *report.model;
  json.add("method", model.method());
  add_params(json, model.options());
  json.add("transform_kind", name_of(model.transform_kind()));
  if (!report.model_path.empty()) return json.add("model", report.model_path);
  json.add("spectrum", to_json(model.embedding().spectrum));
  JsonObject diagnostics;
  for (const auto& [name, value] : model.embedding().attributes) diagnostics.add(name, to_json(value));
  json.add("diagnostics", diagnostics);
}

const char* compute_name(const Report& report) {
  if (!report.model) return "compute";
  return report.model_path.empty() ? "fit" : "transform";
}

}  // namespace

std::string report_json(const Report& report) {
  JsonObject json = answer_of(report.command);
  if (report.model) {
    add_model(json, report);
  } else if (!report.params.empty()) {
    add_params(json, report.params);
  }
  json.add("input", JsonObject{{"path", report.input.path},
                               {"format", report.input.format},
                               {"n", report.input.rows},
                               {"d", report.input.cols},
                               {"scalar", report.input.is_float ? "float32" : "float64"}});
  for (const auto& [name, values] : report.results) json.add(name, to_json(values));
  for (const auto& [name, entries] : report.lists) json.add(name, list_of(entries, to_json));
  json.add("threads", report.threads);
  json.add("timings_s", JsonObject{{"read", report.seconds.read},
                                   {compute_name(report), report.seconds.compute},
                                   {"write", report.seconds.write},
                                   {"total", report.seconds.total}});
  json.add("peak_rss_mb", peak_memory_mb());
  json.add("warnings", list_of(report.warnings, to_json));
  json.add("notes", report.remarks);
  json.add("outputs", list_of(report.outputs, to_json));
  return json.indented();
}

std::string progress_json(const Progress& progress, double elapsed_seconds, std::optional<double> remaining_seconds) {
  JsonObject json{{"event", "progress"},
                  {"stage", progress.stage},
                  {"fraction", progress.fraction},
                  {"elapsed_s", elapsed_seconds}};
  if (remaining_seconds) json.add("stage_remaining_s", *remaining_seconds);
  if (progress.loss) json.add("loss", *progress.loss);
  if (progress.violation) json.add("violation", *progress.violation);
  return json.text();
}

std::string model_json(const Model& model, const std::string& path) {
  JsonObject json = answer_of("info");
  add_model(json, {.command = "info", .model = model});
  json.add("model", path);
  json.add("n", model.coordinates().rows());
  json.add("n_features", model.n_features());
  json.add("n_components", model.n_components());
  json.add("columns", model.features().names);
  json.add("warnings", list_of(model.embedding().warnings, to_json));
  return json.indented();
}

std::string error_json(const Error& error, int exit_code) {
  const auto or_null = [](const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); };
  JsonObject json = answer_of("error");
  json.add("error", JsonObject{{"kind", name_of(error.kind())},
                               {"who", or_null(error.who())},
                               {"message", error.what()},
                               {"problem", error.problem()},
                               {"advice", or_null(error.advice())},
                               {"option", or_null(error.option())},
                               {"row", error.row() < 0 ? Json(nullptr) : Json(error.row() + 1)},
                               {"exit_code", std::int64_t{exit_code}}});
  return json.text();
}

std::string methods_json(const std::vector<Method>& methods) {
  JsonObject json = answer_of("methods");
  json.add("methods", list_of(methods, to_json));
  return json.indented();
}

std::string recipe_table_json(const std::vector<RecipeWords>& rows) {
  JsonObject json = answer_of("methods");
  json.add("table", list_of(rows, to_json));
  return json.indented();
}

std::string generators_json(const std::vector<Generator>& generators) {
  JsonObject json = answer_of("datasets");
  json.add("datasets", list_of(generators, to_json));
  return json.indented();
}

}  // namespace unroll::cli
