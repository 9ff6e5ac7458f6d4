// Makes a program (nodes.hpp) of a model's JSON, by the rules that the Python package has for a model. A kind of node
// is added in ReadNode, with a function of its own.
#ifndef CURVEC_PROGRAM_READER_HPP
#define CURVEC_PROGRAM_READER_HPP

#include <curvec/c_interface.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <curvec/config.hpp>
#include <curvec/cut_places.hpp>
#include <curvec/json_fields.hpp>
#include <curvec/links.hpp>
#include <curvec/nodes.hpp>
#include <curvec/pwl_curve.hpp>
#include <curvec/transforms.hpp>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace curvec {
inline namespace CURVEC_ABI {
namespace detail {

/// A program, and all that its plain data points to. It may be moved, as what vectors hold stays where it is.
struct ProgramData {
  struct Levels {
    std::vector<std::int64_t> numbers;
    std::vector<std::string> texts;
    std::vector<std::string_view> views;  // of texts
  };
  std::string name;
  std::vector<std::string> feature_names;
  std::vector<Levels> levels;  // a feature's
  std::vector<program::Feature> features;
  std::vector<std::vector<double>> tables;
  std::vector<std::vector<std::uint16_t>> places;
  std::vector<std::vector<program::Node>> nodes;
  std::vector<bool> reads_number;  // whether a term reads the feature as a number
  std::vector<bool> reads_category;
  const program::Node* terms = nullptr;
  std::size_t terms_count = 0;
  double intercept = 0.0;
  std::int32_t link = 0;  // a place in Links
};

class ProgramReader : JsonFields {
 public:
  /// The program of a checked text's object. Throws a ModelError.
  [[nodiscard]] static ProgramData Read(JsonValue file) {
    ProgramReader reader;
    reader.File(file);
    return std::move(reader.data_);
  }

 private:
  using Node = program::Node;
  static constexpr std::size_t kMostDeep = 32;                  // as the Python package's MAX_DEPTH
  static constexpr std::size_t kMostNodes = 1000000;            // and MAX_NODES
  static constexpr std::int64_t kMostExact = 9007199254740992;  // 2^53

  /// The levels of a curve, before those of all of the feature's curves are known.
  struct PendingLevels {
    Node* node;
    ProgramData::Levels levels;
    std::vector<double> values;
    double missing;
    double unseen;
  };

  static void CheckNote(JsonValue note, const Path& path) {
    if (note.there()) static_cast<void>(Text(note, {&path, "note"}));
  }
  static void CheckIncreasing(const std::vector<double>& x, const Path& path) {
    for (std::size_t k = 1; k < x.size(); ++k) {
      if (x[k - 1] < x[k]) continue;
      Fail(path, Shown(x[k - 1]) + " is followed by " + Shown(x[k]) + "; x must be strictly increasing");
    }
  }

  const double* Keep(std::vector<double> table) {
    data_.tables.push_back(std::move(table));
    return data_.tables.back().data();
  }

  void File(JsonValue file) {
    const Path path;
    const auto [version, model] = Members(file, {"curvec", "model"}, path);
    if (!version.there() || !model.there()) Fail(path, "a model's file has the members \"curvec\" and \"model\"");
    if (version.Literal() != "1") Fail({&path, "curvec"}, "version " + Shown(version) + " is unknown; it must be 1");
    Model(model, {&path, "model"});
  }

  void Model(JsonValue model, const Path& path) {
    const auto [name, terms, intercept, link, features, note] =
        Members(model, {"name", "terms", "intercept", "link", "features", "note"}, path);
    data_.name = Text(name, {&path, "name"});
    if (data_.name.empty()) Fail({&path, "name"}, "the model's name is empty");
    data_.intercept = NumberOr(0.0, intercept, {&path, "intercept"});
    const std::string link_name = link.there() ? Text(link, {&path, "link"}) : IdentityLink::kName;
    data_.link = Links::Place(link_name);
    if (data_.link < 0) Fail({&path, "link"}, Quoted(link_name) + " is not a link");
    CheckNote(note, path);
    if (features.there()) ListFeatures(List(features, {&path, "features"}), {&path, "features"});
    listed_ = !data_.feature_names.empty();
    std::tie(data_.terms, data_.terms_count) = ReadTerms(List(terms, {&path, "terms"}), 0, {&path, "terms"}, 1);
    GiveCodes();
    SetFeatures();
  }

  void ListFeatures(JsonValue features, const Path& path) {
    std::size_t place = 0;
    features.ForEach([&](JsonValue feature) {
      const Path at{&path, {}, place++};
      const auto [name, type] = Members(feature, {"name", "type"}, at);
      const std::string type_name = type.there() ? Text(type, {&at, "type"}) : "number";
      constexpr std::string_view kTypes[] = {"number", "int", "str", "bool"};  // in the order of curvec_type
      const auto* const found = std::find(std::begin(kTypes), std::end(kTypes), type_name);
      if (found == std::end(kTypes)) {
        Fail({&at, "type"}, Quoted(type_name) + " is not a type; it must be number, int, str or bool");
      }
      std::string text = Text(name, {&at, "name"});
      if (places_.count(text) != 0) Fail(at, "the feature " + Quoted(text) + " is listed twice");
      AddFeature(std::move(text), static_cast<std::int32_t>(found - std::begin(kTypes)));
    });
  }

  void AddFeature(std::string name, std::int32_t type) {
    places_.emplace(name, data_.feature_names.size());
    data_.feature_names.push_back(std::move(name));
    types_.push_back(type);
    data_.reads_number.push_back(false);
    data_.reads_category.push_back(false);
  }

  /// The place of a feature that is read as that type.
  std::size_t UseFeature(const std::string& name, std::int32_t type, const Path& path) {
    if (places_.count(name) == 0) {
      if (listed_) Fail(path, "feature " + Quoted(name) + " is not among the features that the model lists");
      AddFeature(name, type);
    }
    const std::size_t place = places_.at(name);
    std::int32_t& of_feature = types_[place];
    // integer categories may also be read as a number
    if (!listed_ && of_feature == CURVEC_NUMBER && type == CURVEC_INTEGER) of_feature = CURVEC_INTEGER;
    if (of_feature != type && !(of_feature == CURVEC_INTEGER && type == CURVEC_NUMBER)) {
      Fail(path, "feature " + Quoted(name) + " is read as another type than it is listed with, or read with elsewhere");
    }
    (type == CURVEC_NUMBER ? data_.reads_number : data_.reads_category)[place] = true;
    return place;
  }

  /// The nodes of a list of at least `least`.
  std::pair<const Node*, std::size_t> ReadTerms(JsonValue list, std::size_t least, const Path& path,
                                                std::size_t depth) {
    const std::size_t count = list.Count();
    if (count < least) Fail(path, "is empty; there must be at least one term");
    data_.nodes.emplace_back(count);
    Node* const nodes = data_.nodes.back().data();
    std::size_t place = 0;
    list.ForEach([&](JsonValue term) {
      ReadNode(term, {&path, {}, place}, depth, nodes[place]);
      ++place;
    });
    return {nodes, count};
  }

  void ReadNode(JsonValue value, const Path& path, std::size_t depth, Node& node) {
    if (depth >= kMostDeep) Fail(path, "nodes are nested more than 32 deep");
    if (++nodes_ > kMostNodes) Fail(path, "the model holds more than 1000000 nodes");
    const std::string type = TypeOf(value, path);
    if (type == "Line") return ReadLine(value, path, node);
    if (type == "PWLCurve") return ReadPWLCurve(value, path, depth, node);
    if (type == "StepCurve") return ReadStepCurve(value, path, depth, node);
    if (type == "EnumCurve") return ReadEnumCurve(value, path, node);
    if (type == "Sum") return ReadSum(value, path, depth, node);
    if (type == "Product") return ReadProduct(value, path, depth, node);
    Fail({&path, "type"}, Quoted(type) + " is not a node");
  }

  [[nodiscard]] static std::string TypeOf(JsonValue node, const Path& path) {
    if (!node.IsObject()) Fail(path, Shown(node) + " must be an object");
    JsonValue type;
    node.ForEachMember([&](const std::string& name, JsonValue value) {
      if (name == "type" && !type.there()) type = value;
    });
    return Text(type, {&path, "type"});
  }

  void ReadLine(JsonValue value, const Path& path, Node& node) {
    const auto [type, input, coefficient, missing, note] =
        Members(value, {"type", "input", "coefficient", "missing", "note"}, path);
    CheckNote(note, path);
    node.kind = program::Kind::kLine;
    node.missing = Declared(missing, {&path, "missing"});
    node.feature = UseFeature(Text(input, {&path, "input"}), CURVEC_NUMBER, path);
    node.y = Keep({NumberOr(1.0, coefficient, {&path, "coefficient"})});
  }

  /// What a curve is of: a feature, or a sum.
  void ReadInput(JsonValue input, const Path& path, std::size_t depth, Node& node) {
    const Path at{&path, "input"};
    if (!input.there()) Fail(at, "is missing");
    if (input.IsText()) {
      node.feature = UseFeature(input.Text(), CURVEC_NUMBER, path);
      return;
    }
    if (TypeOf(input, at) != "Sum") Fail(at, "must be a feature's name or a Sum");
    data_.nodes.emplace_back(1);
    Node& sum = data_.nodes.back()[0];
    node.children = &sum;
    node.children_count = 1;
    ReadNode(input, at, depth + 1, sum);
  }

  void ReadPWLCurve(JsonValue value, const Path& path, std::size_t depth, Node& node) {
    const auto [type, input, points, fx, missing, note, special] =
        Members(value, {"type", "input", "points", "fx", "missing", "note", "special"}, path);
    CheckNote(note, path);
    node.kind = program::Kind::kPWLCurve;
    node.missing = Declared(missing, {&path, "missing"});
    ReadInput(input, path, depth, node);
    const std::string fx_name = fx.there() ? Text(fx, {&path, "fx"}) : Identity::kName;
    node.fx = Transforms::Place(fx_name);
    if (node.fx < 0) Fail({&path, "fx"}, Quoted(fx_name) + " is not a transform");
    ReadPoints(List(points, {&path, "points"}), {&path, "points"}, node);
    ReadSpecial(special, {&path, "special"}, node);
  }

  void ReadSpecial(JsonValue special, const Path& path, Node& node) {
    if (!special.there()) return;
    std::vector<double> codes, values;
    List(special, path).ForEach([&](JsonValue pair) {
      const Path at{&path, {}, codes.size()};
      const auto [code, number] = Pair(pair, at);
      codes.push_back(Number(code, at));
      values.push_back(Number(number, at));
    });
    std::vector<double> sorted = codes;
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end()) Fail(path, "the special code " + Shown(*twice) + " is there twice");
    if (!codes.empty() && node.children_count != 0) Fail(path, "only a curve of a feature has special codes");
    node.codes_count = codes.size();
    node.codes = Keep(std::move(codes));
    node.code_values = Keep(std::move(values));
  }

  void ReadPoints(JsonValue points, const Path& path, Node& node) {
    std::vector<double> x, y;
    points.ForEach([&](JsonValue point) {
      const Path at{&path, {}, x.size()};
      const auto [x_k, y_k] = Pair(point, at);
      x.push_back(Number(x_k, at));
      y.push_back(Number(y_k, at));
    });
    if (x.size() < 2) Fail(path, "a curve needs two points; fold a constant into the intercept");
    CheckIncreasing(x, path);
    std::vector<double> u(x.size()), slopes(x.size());
    Transforms::With(node.fx, [&](auto transform) {
      using Fx = decltype(transform);
      if (!(x[0] > Fx::kLower)) Fail(path, Shown(x[0]) + " is outside the domain of " + Fx::kName);
      for (std::size_t k = 0; k < x.size(); ++k) u[k] = WithoutSignOfZero(Fx::Forward(x[k]));
    });
    for (std::size_t k = 0; k + 1 < x.size(); ++k) {
      const double distance = u[k + 1] - u[k];
      if (!(distance > 0.0 && std::isfinite(distance) && std::isfinite((y[k + 1] - y[k]) / distance))) {
        Fail({&path, {}, k + 1}, "no finite slope joins this point and the one before; move them further apart");
      }
      slopes[k] = SegmentSlope(u[k], y[k], u[k + 1], y[k + 1]);
    }
    node.count = x.size();
    node.x = Keep(std::move(x));
    node.u = Keep(std::move(u));
    node.y = Keep(std::move(y));
    node.slopes = Keep(std::move(slopes));
  }

  void ReadStepCurve(JsonValue value, const Path& path, std::size_t depth, Node& node) {
    const auto [type, input, cuts, values, missing, note, special] =
        Members(value, {"type", "input", "cuts", "values", "missing", "note", "special"}, path);
    CheckNote(note, path);
    node.kind = program::Kind::kStepCurve;
    node.missing = Declared(missing, {&path, "missing"});
    ReadInput(input, path, depth, node);
    std::vector<double> x = Numbers(cuts, {&path, "cuts"});
    std::vector<double> y = Numbers(values, {&path, "values"});
    if (x.empty()) Fail({&path, "cuts"}, "there is none; fold the constant into the intercept");
    if (y.size() != x.size() + 1) Fail({&path, "values"}, "there must be one more than there are cuts");
    CheckIncreasing(x, {&path, "cuts"});
    node.count = x.size();
    std::vector<std::uint16_t> before;
    node.places = PlacesFor(x, before);
    data_.places.push_back(std::move(before));
    node.x = Keep(std::move(x));
    node.y = Keep(std::move(y));
    ReadSpecial(special, {&path, "special"}, node);
  }

  void ReadEnumCurve(JsonValue value, const Path& path, Node& node) {
    const auto [type, input, mapping, unseen, missing, note] =
        Members(value, {"type", "input", "mapping", "default", "missing", "note"}, path);
    CheckNote(note, path);
    node.kind = program::Kind::kEnumCurve;
    const Path at{&path, "mapping"};
    pending_.push_back({&node, {}, {}, Declared(missing, {&path, "missing"}), Declared(unseen, {&path, "default"})});
    const std::int32_t level_type = ReadLevels(List(mapping, at), at, pending_.back());
    node.feature = UseFeature(Text(input, {&path, "input"}), level_type, path);
  }

  /// The levels of a curve and their values; their type.
  static std::int32_t ReadLevels(JsonValue mapping, const Path& path, PendingLevels& pending) {
    std::int32_t type = CURVEC_NUMBER;
    mapping.ForEach([&](JsonValue level) {
      const Path at{&path, {}, pending.values.size()};
      const auto [key, number] = Pair(level, at);
      const std::int32_t key_type = ReadKey(key, at, pending.levels);
      if (type != CURVEC_NUMBER && type != key_type) {
        Fail(at, "the levels must be all integers, all text or all true and false");
      }
      type = key_type;
      pending.values.push_back(Number(number, at));
    });
    if (pending.values.empty()) Fail(path, "there is no level; there must be at least one");
    CheckDifferent(pending.levels.numbers, path);
    CheckDifferent(pending.levels.texts, path);
    return type;
  }
  template <class Key>
  static void CheckDifferent(std::vector<Key> keys, const Path& path) {
    std::sort(keys.begin(), keys.end());
    const auto twice = std::adjacent_find(keys.begin(), keys.end());
    if (twice != keys.end()) Fail(path, "the level " + Shown(*twice) + " is there twice");
  }
  static std::int32_t ReadKey(JsonValue key, const Path& path, ProgramData::Levels& levels) {
    if (key.IsText()) {
      levels.texts.push_back(key.Text());
      return CURVEC_STRING;
    }
    if (key.IsBool()) {
      levels.numbers.push_back(key.Bool() ? 1 : 0);
      return CURVEC_BOOLEAN;
    }
    if (!key.IsInteger()) Fail(path, Shown(key) + " is no level; it must be an integer, text, true or false");
    const double number = Number(key, path);
    if (std::fabs(number) > static_cast<double>(kMostExact)) {
      Fail(path, "the level " + Shown(key) + " is beyond 2^53, where doubles skip integers; use a level of text");
    }
    levels.numbers.push_back(static_cast<std::int64_t>(number));
    return CURVEC_INTEGER;
  }

  void ReadSum(JsonValue value, const Path& path, std::size_t depth, Node& node) {
    const auto [type, terms, note] = Members(value, {"type", "terms", "note"}, path);
    CheckNote(note, path);
    node.kind = program::Kind::kSum;
    const Path at{&path, "terms"};
    std::tie(node.children, node.children_count) = ReadTerms(List(terms, at), 1, at, depth + 1);
  }

  void ReadProduct(JsonValue value, const Path& path, std::size_t depth, Node& node) {
    const auto [type, factors, note] = Members(value, {"type", "factors", "note"}, path);
    CheckNote(note, path);
    node.kind = program::Kind::kProduct;
    const Path at{&path, "factors"};
    std::tie(node.children, node.children_count) = ReadTerms(List(factors, at), 1, at, depth + 1);
  }

  /// All levels of each feature, and from them the table of each curve.
  void GiveCodes() {
    data_.levels.resize(data_.feature_names.size());
    for (const PendingLevels& pending : pending_) {
      ProgramData::Levels& all = data_.levels[pending.node->feature];
      all.numbers.insert(all.numbers.end(), pending.levels.numbers.begin(), pending.levels.numbers.end());
      all.texts.insert(all.texts.end(), pending.levels.texts.begin(), pending.levels.texts.end());
    }
    for (ProgramData::Levels& all : data_.levels) {
      SortUnique(all.numbers);
      SortUnique(all.texts);
      all.views.assign(all.texts.begin(), all.texts.end());
    }
    for (PendingLevels& pending : pending_) {
      const ProgramData::Levels& all = data_.levels[pending.node->feature];
      std::vector<double> table(2 + all.numbers.size() + all.texts.size(), pending.unseen);
      table[0] = pending.missing;
      SetValues(all.numbers, pending.levels.numbers, pending.values, table);
      SetValues(all.texts, pending.levels.texts, pending.values, table);
      pending.node->y = Keep(std::move(table));
    }
  }
  template <class Key>
  static void SortUnique(std::vector<Key>& keys) {
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    keys.shrink_to_fit();
  }
  template <class Key>
  static void SetValues(const std::vector<Key>& all, const std::vector<Key>& keys, const std::vector<double>& values,
                        std::vector<double>& table) {
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const auto place = std::lower_bound(all.begin(), all.end(), keys[i]);
      table[2 + static_cast<std::size_t>(place - all.begin())] = values[i];
    }
  }

  void SetFeatures() {
    for (std::size_t i = 0; i < types_.size(); ++i) {
      const ProgramData::Levels& of_feature = data_.levels[i];
      const std::size_t count = of_feature.numbers.size() + of_feature.views.size();
      const program::Levels levels{of_feature.numbers.data(), of_feature.views.data(), count};
      data_.features.push_back({data_.feature_names[i], types_[i], levels});
    }
  }

  ProgramData data_;
  std::map<std::string, std::size_t> places_;  // of the features
  std::vector<std::int32_t> types_;            // and their types
  std::vector<PendingLevels> pending_;
  bool listed_ = false;    // whether the model lists its features
  std::size_t nodes_ = 0;  // how many there are so far
};

}  // namespace detail
}  // namespace CURVEC_ABI
}  // namespace curvec

#endif  // CURVEC_PROGRAM_READER_HPP
