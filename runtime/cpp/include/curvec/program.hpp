// Models from their files: what scores a model that is read at run time, without a build. Not in curvec.hpp, as it
// allocates while it loads, and throws where a file is wrong; scoring does neither.
//
//     const curvec::Program risk = curvec::Program::FromFile("risk.json");
//     std::vector<curvec_column> columns(risk.features().size());
//     columns[risk.FeatureIndex("age")] = curvec::Numbers(ages).raw();
//     const std::int32_t status = risk.Score(columns.data(), columns.size(), rows, scores);
//
// The scores have the bits of the emitted header. For points with a logarithm, fx(x) is taken by this machine's log
// while the file is loaded, where the header has what the emitter's log gave: they are the same bits wherever the two
// machines' logs are (contract, point 6).
#ifndef CURVEC_PROGRAM_HPP
#define CURVEC_PROGRAM_HPP

#include <curvec/c_interface.h>

#include <cstddef>
#include <cstdint>
#include <curvec/c_interface.hpp>
#include <curvec/engine.hpp>
#include <curvec/json.hpp>
#include <curvec/links.hpp>
#include <curvec/nodes.hpp>
#include <curvec/program_reader.hpp>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace curvec {
inline namespace CURVEC_ABI {

/// A model that was read from its file. Any number of threads may score with one.
class Program {
 public:
  /// The model of a file that the Python package wrote (model.save, or the command line).
  ///
  /// Throws a ModelError: the file cannot be read, is no JSON, or breaks a rule of the model; it says where.
  [[nodiscard]] static Program FromFile(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::string json;
    std::vector<char> part(std::size_t{1} << 16);
    while (file) {
      file.read(part.data(), static_cast<std::streamsize>(part.size()));
      json.append(part.data(), static_cast<std::size_t>(file.gcount()));
    }
    if (!file.eof()) throw ModelError(path + ": the file cannot be read");
    try {
      return FromJson(json);
    } catch (const ModelError& error) {
      throw ModelError(path + ": " + error.what());
    }
  }
  /// The model of such a file's text.
  [[nodiscard]] static Program FromJson(std::string_view json) {
    return Program(detail::ProgramReader::Read(detail::JsonChecker(json).Check()));
  }

  [[nodiscard]] const std::string& name() const noexcept { return data_.name; }

  /// The features, whose columns Score takes in this order; of each the name, and the curvec_type.
  [[nodiscard]] const std::vector<program::Feature>& features() const noexcept { return data_.features; }

  /// A feature's place among them; their number where the model has none of that name.
  [[nodiscard]] std::size_t FeatureIndex(std::string_view name) const noexcept {
    std::size_t place = 0;
    while (place < data_.features.size() && data_.features[place].name != name) ++place;
    return place;
  }

  /// The number of terms, of which the score is the sum.
  [[nodiscard]] std::size_t term_count() const noexcept { return data_.terms_count; }

  /// scores[row] becomes the raw score of rows [0, rows). Returns a curvec_status, and writes nothing where that is not
  /// CURVEC_OK; *wrong_column then becomes the column that it is about, or -1.
  [[nodiscard]] std::int32_t Score(const curvec_column* columns, std::size_t column_count, std::size_t rows,
                                   double* scores, std::int32_t* wrong_column = nullptr) const noexcept {
    const std::int32_t status = Check(columns, column_count, rows, wrong_column);
    if (status == CURVEC_OK) ScoreRange(columns, 0, rows, scores);
    return status;
  }
  /// predictions[row] becomes the inverse link of the raw score.
  [[nodiscard]] std::int32_t Predict(const curvec_column* columns, std::size_t column_count, std::size_t rows,
                                     double* predictions, std::int32_t* wrong_column = nullptr) const noexcept {
    const std::int32_t status = Check(columns, column_count, rows, wrong_column);
    if (status == CURVEC_OK) PredictRange(columns, 0, rows, predictions);
    return status;
  }
  /// terms[row * term_count() + i] becomes the value of term i.
  [[nodiscard]] std::int32_t Terms(const curvec_column* columns, std::size_t column_count, std::size_t rows,
                                   double* terms, std::int32_t* wrong_column = nullptr) const noexcept {
    const std::int32_t status = Check(columns, column_count, rows, wrong_column);
    if (status != CURVEC_OK) return status;
    program::Task task = TaskOf(columns, columns, terms);
    task.per_term = true;
    task.row_stride = term_count();
    task.term_stride = 1;
    RunTask(task, 0, rows);
    return status;
  }

  /// Whether columns are what the features can be read from: a curvec_status.
  [[nodiscard]] std::int32_t Check(const curvec_column* columns, std::size_t column_count, std::size_t rows,
                                   std::int32_t* wrong_column = nullptr) const noexcept {
    if (wrong_column != nullptr) *wrong_column = -1;
    if (column_count != data_.features.size()) return CURVEC_WRONG_COLUMN_COUNT;
    if (columns == nullptr && column_count != 0) return CURVEC_NULL_POINTER;
    for (std::size_t i = 0; i < column_count; ++i) {
      const std::int32_t status = detail::CheckColumn(columns[i], data_.features[i].type, rows, true);
      if (status == CURVEC_OK) continue;
      if (wrong_column != nullptr) *wrong_column = static_cast<std::int32_t>(i);
      return status;
    }
    return CURVEC_OK;
  }

  /// The raw scores of rows [first, last) of columns that Check has seen: scores[row]. For SplitRows.
  void ScoreRange(const curvec_column* columns, std::size_t first, std::size_t last, double* scores,
                  BatchOptions options = {}) const noexcept {
    RunTask(TaskOf(columns, columns, scores), first, last, options);
  }
  void PredictRange(const curvec_column* columns, std::size_t first, std::size_t last, double* predictions,
                    BatchOptions options = {}) const noexcept {
    ScoreRange(columns, first, last, predictions, options);
    InvertRange(first, last, predictions);
  }

  /// What the engine runs to score, also one that was compiled for another instruction set; valid as long as this
  /// program.
  [[nodiscard]] program::Task TaskOf(const curvec_column* numbers, const curvec_column* categories,
                                     double* result) const noexcept {
    program::Task task{};
    task.terms = data_.terms;
    task.terms_count = data_.terms_count;
    task.intercept = data_.intercept;
    task.features = data_.features.data();
    task.numbers = numbers;
    task.categories = categories;
    task.result = result;
    return task;
  }
  /// Scores of rows [first, last) become predictions.
  void InvertRange(std::size_t first, std::size_t last, double* scores) const noexcept {
    Links::With(data_.link, [&](auto link) {
      for (std::size_t row = first; row < last; ++row) scores[row] = decltype(link)::Inverse(scores[row]);
    });
  }
  /// Whether some term reads a feature as a number, and as a category; of integers both may be.
  [[nodiscard]] bool ReadsNumber(std::size_t feature) const noexcept { return data_.reads_number[feature]; }
  [[nodiscard]] bool ReadsCategory(std::size_t feature) const noexcept { return data_.reads_category[feature]; }

 private:
  explicit Program(detail::ProgramData data) : data_(std::move(data)) {}

  detail::ProgramData data_;
};

}  // namespace CURVEC_ABI
}  // namespace curvec

#endif  // CURVEC_PROGRAM_HPP
