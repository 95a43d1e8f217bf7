#include "json_text.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "flag.h"
#include "process.h"
#include "unroll/version.h"
#include "verb.h"

namespace unroll::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kSchema = "unroll/1";

std::string dumped(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Json object(std::string_view command) {
  return {{"schema", kSchema}, {"command", std::string(command)}, {"version", version()}};
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
  Json json = Json::object();
  for (const auto& [name, value] : values) json[name] = to_json(value);
  return json;
}

/// A matrix is told by its shape: it is in the model, and may be large.
Json to_json(const Diagnostic& diagnostic) {
  return std::visit(
      [](const auto& v) {
        if constexpr (std::is_same_v<std::decay_t<decltype(v)>, std::shared_ptr<const Array2<double>>>)
          return Json{{"shape", {v->rows(), v->cols()}}};
        else
          return Json(v);
      },
      diagnostic);
}

Json to_json(const Spectrum& spectrum) {
  if (spectrum.values.empty()) return nullptr;
  return {{"values", spectrum.values},
          {"residuals", spectrum.residuals},
          {"solver", spectrum.solver},
          {"iterations", spectrum.iterations}};
}

Json to_json(const std::vector<Warning>& warnings) {
  Json json = Json::array();
  for (const auto& [code, message, hint] : warnings)
    json.push_back({{"code", code}, {"message", message}, {"hint", hint}});
  return json;
}

Json seed_of(const OptionValues& options) {
  for (const auto& [name, value] : options)
    if (name == "random_state") return to_json(value);
  return nullptr;
}

Json limit(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

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
  Json json{{"name", info.name},
            {"flag", flag.name()},
            {"short", nullptr},
            {"alias", nullptr},
            {"type", type_name(info.type)},
            {"list", info.list},
            {"optional", info.optional},
            {"default", to_json(info.default_value)},
            {"allowed", info.allowed()},
            {"help", info.help}};
  if (flag.letter != 0) json["short"] = std::string{'-', flag.letter};
  if (!flag.alias.empty()) json["alias"] = "--" + flag.alias;
  if (info.type == OptionType::Choice) json["choices"] = info.choices;
  if (info.type == OptionType::Integer || info.type == OptionType::Real) {
    json["low"] = limit(info.limits.low);
    json["low_open"] = info.limits.low_open;
    json["high"] = limit(info.limits.high);
    json["high_open"] = info.limits.high_open;
  }
  return json;
}

Json to_json(const std::vector<OptionInfo>& infos) {
  Json json = Json::array();
  for (const auto& info : infos) json.push_back(to_json(info));
  return json;
}

Json to_json(const std::vector<Method>& methods) {
  Json json = Json::array();
  for (const auto& method : methods)
    json.push_back({{"name", method.name},
                    {"title", method.title},
                    {"reference", method.reference},
                    {"transform_kind", std::string(name_of(method.transform))},
                    {"has_inverse", method.has_inverse},
                    {"sparse_input", method.fit_sparse != nullptr},
                    {"min_points", method.properties.min_points},
                    {"options", to_json(method.options)}});
  return json;
}

Json to_json(const RecipeWords& row) {
  const bool is_callable = is_method(row.method) || find_clustering(row.method) != nullptr;
  return {{"row", row.method},          {"variant", row.variant.empty() ? Json(nullptr) : Json(row.variant)},
          {"W", row.similarity},        {"density", row.density},
          {"operator", row.operation},  {"order", row.order},
          {"skip", row.skip},           {"coordinates", row.coordinates},
          {"new_point", row.new_point}, {"method", is_callable ? Json(row.method) : Json(nullptr)}};
}

void add_model(Json& json, const Report& report) {
  const Model& model = *report.model;
  json["method"] = model.method();
  json["params"] = to_json(model.options());
  json["seed"] = seed_of(model.options());
  json["transform_kind"] = std::string(name_of(model.transform_kind()));
  if (!report.model_path.empty()) {
    json["model"] = report.model_path;
    return;
  }
  json["spectrum"] = to_json(model.embedding().spectrum);
  json["diagnostics"] = Json::object();
  for (const auto& [name, value] : model.embedding().diagnostics) json["diagnostics"][name] = to_json(value);
}

const char* compute_name(const Report& report) {
  if (!report.model) return "compute";
  return report.model_path.empty() ? "fit" : "transform";
}

}  // namespace

std::string report_json(const Report& report) {
  Json json = object(report.command);
  if (report.model) add_model(json, report);
  if (!report.params.empty()) {
    json["params"] = to_json(report.params);
    json["seed"] = seed_of(report.params);
  }
  json["input"] = {{"path", report.input.path},
                   {"format", report.input.format},
                   {"n", report.input.rows},
                   {"d", report.input.cols},
                   {"scalar", report.input.is_float ? "float32" : "float64"}};
  for (const auto& [name, values] : report.results) json[name] = to_json(values);
  for (const auto& [name, entries] : report.lists) {
    json[name] = Json::array();
    for (const auto& values : entries) json[name].push_back(to_json(values));
  }
  json["threads"] = report.threads;
  json["timings_s"] = {{"read", report.seconds.read},
                       {compute_name(report), report.seconds.compute},
                       {"write", report.seconds.write},
                       {"total", report.seconds.total}};
  json["peak_rss_mb"] = peak_memory_mb();
  json["warnings"] = to_json(report.warnings);
  json["outputs"] = Json::array();
  for (const auto& output : report.outputs) {
    json["outputs"].push_back({{"content", output.content}, {"path", output.path}});
    if (output.content != "model") json["outputs"].back().update({{"n", output.rows}, {"d", output.cols}});
  }
  return dumped(json, 2);
}

std::string progress_json(const Progress& progress, double elapsed_seconds) {
  Json json{{"event", "progress"},
            {"stage", std::string(progress.stage)},
            {"fraction", progress.fraction},
            {"elapsed_s", elapsed_seconds}};
  if (progress.loss) json["loss"] = *progress.loss;
  return dumped(json, -1);
}

std::string methods_json(const std::vector<Method>& methods, const std::vector<Method>& clusterings) {
  Json json = object("methods");
  json["methods"] = to_json(methods);
  if (!clusterings.empty()) json["clusterings"] = to_json(clusterings);
  return dumped(json, 2);
}

std::string recipe_table_json(const std::vector<RecipeWords>& rows) {
  Json json = object("methods");
  json["table"] = Json::array();
  for (const auto& row : rows) json["table"].push_back(to_json(row));
  return dumped(json, 2);
}

std::string generators_json(const std::vector<Generator>& generators) {
  Json json = object("datasets");
  json["datasets"] = Json::array();
  for (const auto& generator : generators) {
    json["datasets"].push_back({{"name", std::string(generator.name)},
                                {"title", std::string(generator.title)},
                                {"options", to_json(generator.options)}});
  }
  return dumped(json, 2);
}

}  // namespace unroll::cli
