// Models as compiled programs: read from their JSON, run over columns without the interpreter's lock.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <array>
#include <curvec/parallel.hpp>
#include <curvec/program.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bind/register.hpp"
#include "levels/level.hpp"

namespace curvec::bind {
namespace {

namespace py = pybind11;

// The storage of an array's numbers; CURVEC_NOT_SET where there is none for them.
std::int32_t storage_of(const py::array& array) {
  constexpr std::array<std::tuple<char, py::ssize_t, std::int32_t>, 10> kStorages{{{'f', 8, CURVEC_FLOAT64},
                                                                                   {'f', 4, CURVEC_FLOAT32},
                                                                                   {'i', 8, CURVEC_INT64},
                                                                                   {'i', 4, CURVEC_INT32},
                                                                                   {'i', 2, CURVEC_INT16},
                                                                                   {'i', 1, CURVEC_INT8},
                                                                                   {'u', 8, CURVEC_UINT64},
                                                                                   {'u', 4, CURVEC_UINT32},
                                                                                   {'u', 2, CURVEC_UINT16},
                                                                                   {'u', 1, CURVEC_UINT8}}};
  for (const auto& [kind, size, storage] : kStorages) {
    if (array.dtype().kind() == kind && array.itemsize() == size) return storage;
  }
  return CURVEC_NOT_SET;
}

// Columns of a program's features, each as its numbers and as its categories are read from.
struct Columns {
  explicit Columns(std::size_t features) : numbers(features), categories(features) {}
  std::vector<curvec_column> numbers;
  std::vector<curvec_column> categories;
};

class Program {
 public:
  explicit Program(std::string_view json) : program_(curvec::Program::FromJson(json)) {
    for (std::size_t i = 0; i < program_.features().size(); ++i) {
      if (program_.ReadsNumber(i)) slots_.emplace_back(i, false);
      if (program_.ReadsCategory(i)) slots_.emplace_back(i, true);
    }
  }

  std::size_t term_count() const { return program_.term_count(); }

  // The columns that run takes: a feature's name, and its levels in the order of their codes where it is read as a
  // category; None where it is read as a number. An integer feature may be there twice.
  py::list slots() const {
    py::list result;
    for (const auto& [place, is_category] : slots_) {
      const program::Feature& feature = program_.features()[place];
      py::object levels = is_category ? py::object(levels_of(feature)) : py::object(py::none());
      result.append(py::make_tuple(py::str(feature.name.data(), feature.name.size()), std::move(levels)));
    }
    return result;
  }

  // The scores, or the terms one after the other. The arrays are of one length; those of categories are int32 codes of
  // their levels.
  py::array run(const std::vector<py::array>& arrays, std::size_t rows, bool per_term, bool predict,
                std::size_t threads) const {
    Columns columns(program_.features().size());
    for (std::size_t i = 0; i < arrays.size(); ++i) set_column(arrays[i], rows, slots_.at(i), columns);
    const std::size_t width = per_term ? program_.term_count() : 1;
    py::array_t<double> out(static_cast<py::ssize_t>(rows * width));
    program::Task task = program_.TaskOf(columns.numbers.data(), columns.categories.data(), out.mutable_data());
    task.per_term = per_term;
    task.row_stride = 1;
    task.term_stride = rows;
    {
      py::gil_scoped_release release;
      static const levels::Level& level = levels::compiled(levels::of_processor());
      SplitRows(rows, threads, [&](std::size_t first, std::size_t last) {
        level.run(task, first, last);
        if (predict) program_.InvertRange(first, last, task.result);
      });
    }
    return out;
  }

  // The score of one row: for each slot a number, or a code.
  double one(const double* numbers, const std::int32_t* codes, bool predict) const {
    constexpr std::size_t kFew = 32;
    std::array<curvec_column, 2 * kFew> few;
    std::vector<curvec_column> many;
    const std::size_t features = program_.features().size();
    curvec_column* of_numbers = few.data();
    if (features > kFew) {
      many.resize(2 * features);
      of_numbers = many.data();
    }
    curvec_column* of_categories = of_numbers + features;
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      const auto [place, is_category] = slots_[i];
      curvec_column& column = (is_category ? of_categories : of_numbers)[place];
      column = {};
      column.values = is_category ? static_cast<const void*>(codes + i) : numbers + i;
      column.storage = is_category ? CURVEC_LEVEL_CODES : CURVEC_FLOAT64;
    }
    double score = 0.0;
    levels::base().run(program_.TaskOf(of_numbers, of_categories, &score), 0, 1);
    if (predict) program_.InvertRange(0, 1, &score);
    return score;
  }

 private:
  using Slot = std::pair<std::size_t, bool>;  // a feature's place, and whether it is read as a category

  static py::list levels_of(const program::Feature& feature) {
    py::list levels;
    for (std::size_t code = 0; code < feature.levels.count; ++code) {
      if (feature.type == CURVEC_STRING) {
        const std::string_view text = feature.levels.texts[code];
        levels.append(py::str(text.data(), text.size()));
      } else if (feature.type == CURVEC_BOOLEAN) {
        levels.append(py::bool_(feature.levels.numbers[code] == 1));
      } else {
        levels.append(py::int_(feature.levels.numbers[code]));
      }
    }
    return levels;
  }

  static void set_column(const py::array& array, std::size_t rows, const Slot& slot, Columns& columns) {
    if (array.ndim() != 1 || static_cast<std::size_t>(array.shape(0)) != rows) {
      throw py::value_error("a column has another length");
    }
    curvec_column column{};
    column.values = array.data();
    column.storage = storage_of(array);
    column.stride = array.shape(0) > 1 ? array.strides(0) : 0;
    if (slot.second) column.storage = column.storage == CURVEC_INT32 ? CURVEC_LEVEL_CODES : CURVEC_NOT_SET;
    if (column.storage == CURVEC_NOT_SET || (slot.second && column.stride != 0 && column.stride != array.itemsize())) {
      throw py::type_error("a column of this type must be converted first");
    }
    (slot.second ? columns.categories : columns.numbers)[slot.first] = column;
  }

  curvec::Program program_;
  std::vector<Slot> slots_;
};

// One row of a mapping, read field by field; what is not plainly of its type goes through `convert`.
class RowReader {
 public:
  RowReader(const py::sequence& features, py::function convert) : convert_(std::move(convert)) {
    for (const auto& feature : features) {
      const auto pair = py::cast<py::tuple>(feature);
      names_.push_back(pair[0]);
      levels_.push_back(pair[1]);
    }
  }

  double score(const Program& program, const py::object& row, bool predict) const {
    const std::size_t count = names_.size();
    std::array<double, 64> few_numbers;
    std::array<std::int32_t, 64> few_codes;
    std::vector<double> many_numbers(count > 64 ? count : 0);
    std::vector<std::int32_t> many_codes(count > 64 ? count : 0);
    double* numbers = count > 64 ? many_numbers.data() : few_numbers.data();
    std::int32_t* codes = count > 64 ? many_codes.data() : few_codes.data();
    for (std::size_t i = 0; i < count; ++i) read(row, i, numbers[i], codes[i]);
    return program.one(numbers, codes, predict);
  }

 private:
  // Whether the exception is one of those with which rows say that they have no such field, or no fields.
  static bool says_absent() {
    return PyErr_ExceptionMatches(PyExc_LookupError) || PyErr_ExceptionMatches(PyExc_ValueError) ||
           PyErr_ExceptionMatches(PyExc_TypeError);
  }

  void read(const py::object& row, std::size_t i, double& number, std::int32_t& code) const {
    py::object value = PyDict_Check(row.ptr())  // one with defaults would make up what it does not have
                           ? py::reinterpret_borrow<py::object>(PyDict_GetItemWithError(row.ptr(), names_[i].ptr()))
                           : py::reinterpret_steal<py::object>(PyObject_GetItem(row.ptr(), names_[i].ptr()));
    if (!value) {
      if (PyErr_Occurred() && !says_absent()) throw py::error_already_set();
      PyErr_Clear();
      value = py::none();  // convert_ then says which it is: no such field, or a row that is no mapping
    }
    if (!levels_[i].is_none()) {
      code = code_of(i, value, row);
    } else if (PyFloat_Check(value.ptr())) {
      number = PyFloat_AS_DOUBLE(value.ptr());
    } else {
      number = number_of(i, value, row);
    }
  }

  double number_of(std::size_t i, const py::object& value, const py::object& row) const {
    constexpr long long kExact = 9007199254740992;  // 2^53
    if (PyLong_CheckExact(value.ptr())) {
      int overflow = 0;
      const long long whole = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
      if (overflow == 0 && whole >= -kExact && whole <= kExact) return static_cast<double>(whole);
    }
    return py::cast<double>(convert_(i, value, row));
  }

  // The code of a level. A key of another type than the levels' is converted first, by convert_.
  std::int32_t code_of(std::size_t i, const py::object& value, const py::object& row) const {
    PyObject* key = value.ptr();
    if (PyUnicode_CheckExact(key) || PyLong_CheckExact(key) || PyBool_Check(key)) {
      const py::tuple typed = py::make_tuple(py::type::of(value), value);
      PyObject* found = PyDict_GetItemWithError(levels_[i].ptr(), typed.ptr());
      if (found != nullptr) return static_cast<std::int32_t>(PyLong_AsLong(found));
    }
    return py::cast<std::int32_t>(convert_(i, value, row));
  }

  std::vector<py::object> names_;
  std::vector<py::object> levels_;
  py::function convert_;
};

}  // namespace

void register_score(py::module_& module) {
  py::class_<Program>(module, "Program")
      .def(py::init<std::string_view>(), py::arg("json"))
      .def_property_readonly("term_count", &Program::term_count)
      .def_property_readonly("slots", &Program::slots)
      .def("run", &Program::run, py::arg("columns"), py::arg("rows"), py::arg("per_term"), py::arg("predict"),
           py::arg("threads"));
  py::class_<RowReader>(module, "RowReader")
      .def(py::init<const py::sequence&, py::function>(), py::arg("features"), py::arg("convert"))
      .def("score", &RowReader::score, py::arg("program"), py::arg("row"), py::arg("predict"));
}

}  // namespace curvec::bind
