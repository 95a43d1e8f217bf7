#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "unroll/core/error.h"
#include "unroll/core/options.h"
#include "unroll/core/run.h"
#include "unroll/core/types.h"

namespace unroll {

/// How a method places new points.
enum class TransformKind {
  Exact,      ///< the training formula itself
  Nystrom,    ///< the eigenvectors extended by the kernel
  Weights,    ///< local weights on the training points
  Optimized,  ///< a small optimisation against the fixed map
};
constexpr auto enum_names(TransformKind) {
  return std::array{Named{TransformKind::Exact, "exact"}, Named{TransformKind::Nystrom, "nystrom"},
                    Named{TransformKind::Weights, "weights"}, Named{TransformKind::Optimized, "optimized"}};
}

/// Eigenpairs in the order in which the method reads them, each with the residual that proves it.
struct Spectrum {
  std::vector<double> values = {};
  std::vector<double> residuals = {};  ///< |A v - lambda v| per pair, relative to the operator's norm
  std::int64_t iterations = 0;         ///< 0: a direct solver
  std::string solver = {};             ///< the solver that ran, chosen or asked for
};

/// The eigenvalues of one component of a graph in several, without the trivial one.
struct ComponentSpectrum {
  Index component = 0;  ///< from 0, in the order of the lowest points
  Index points = 0;
  std::vector<double> values = {};
  std::vector<double> residuals = {};  ///< as in Spectrum
};

/// What a method reports beside its coordinates, by name. Matrices are shared with the model, not copied.
using Attribute = std::variant<bool, std::int64_t, double, std::string, std::vector<double>,
                               std::shared_ptr<const Array2<double>>, std::vector<std::int64_t>>;
using Attributes = std::vector<std::pair<std::string, Attribute>>;

/// A method's result on the training points.
struct Embedding {
  Array2<double> coordinates = {};  ///< one row per input row, all finite
  Spectrum spectrum = {};
  std::vector<ComponentSpectrum> component_spectra = {};  ///< largest component first; empty: there is one component
  std::vector<Warning> warnings = {};
  Attributes attributes = {};
};

/// The columns of the table that a model was fitted on. Any list is empty where it is not known.
struct Features {
  std::vector<std::string> names = {};
  std::vector<double> means = {};
  std::vector<double> deviations = {};    ///< standard deviations
  std::vector<Index> places = {};         ///< among the columns of the file, from 0, if some of them are no features
  Index file_columns = 0;                 ///< with the places: columns of the file
  std::vector<std::string> classes = {};  ///< words for the classes, in the order of the columns of probabilities
};

class Transformer;

/// A fitted method: the embedding and the means to place new points. Immutable, cheap to copy, safe to share between
/// threads.
class UNROLL_API Model {
 public:
  struct Parts {
    std::string method = {};
    OptionValues options = {};  ///< as they were used: "choose for me" is replaced by the choice
    Index n_features = 0;
    Features features = {};
    Embedding embedding = {};
    std::vector<Index> labels = {};  ///< per point, if the method finds clusters or classes
    std::shared_ptr<const Transformer> transformer = {};
  };
  explicit Model(Parts parts);

  const std::string& method() const { return parts_->method; }
  const OptionValues& options() const { return parts_->options; }
  Index n_features() const { return parts_->n_features; }
  /// Names and means of the training columns, where with_features has said them.
  const Features& features() const& { return parts_->features; }
  Features features() && { return parts_->features; }
  Index n_components() const { return parts_->embedding.coordinates.cols(); }
  // A temporary model returns copies: `for (double v : pca(x).attribute<...>(...))` must not dangle.
  const Embedding& embedding() const& { return parts_->embedding; }
  Embedding embedding() && { return parts_->embedding; }
  const Array2<double>& coordinates() const& { return parts_->embedding.coordinates; }
  Array2<double> coordinates() && { return parts_->embedding.coordinates; }
  /// The cluster of every point, numbered in the order of their first points; or its class, as Input::labels has it,
  /// and -1 where none is found; empty where the method finds neither.
  const std::vector<Index>& labels() const& { return parts_->labels; }
  std::vector<Index> labels() && { return parts_->labels; }

  /// The attribute of that name as a T; throws InvalidOption if the method has no such attribute, or one of another
  /// type.
  template <class T>
  const T& attribute(std::string_view name) const& {
    const T* value = std::get_if<T>(&find_attribute(name));
    if (value == nullptr) throw_wrong_type(name);
    return *value;
  }
  template <class T>
  T attribute(std::string_view name) && {
    return std::as_const(*this).template attribute<T>(name);
  }

  /// What places new points, for methods that are built on others.
  const std::shared_ptr<const Transformer>& transformer() const { return parts_->transformer; }
  TransformKind transform_kind() const;
  /// Coordinates of new points. A row's result does not depend on the rows beside it, bit for bit.
  Array2<double> transform(PointsView points, const Run& run = {}) const;
  /// The clusters or classes of new points; throws Unsupported if the method finds none.
  std::vector<Index> predict(PointsView points, const Run& run = {}) const;
  /// Points of the data space for coordinates of the map; throws Unsupported if the method has no inverse.
  Array2<double> inverse_transform(PointsView coordinates, const Run& run = {}) const;

  /// The same model, which keeps these in its file; throws InvalidOption unless there is one of each per feature, and a
  /// word per class.
  Model with_features(Features features) const;

  /// Writes the model file (`*.unroll`), atomically. registry.h has load_model.
  void save(const std::string& path) const;
  /// The content of that file.
  std::vector<std::byte> bytes() const;

 private:
  const Attribute& find_attribute(std::string_view name) const;
  [[noreturn]] void throw_wrong_type(std::string_view name) const;
  std::shared_ptr<const Parts> parts_;
};

}  // namespace unroll
