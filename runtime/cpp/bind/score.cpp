// Models as compiled programs: built from the lowered terms, run over columns without the interpreter's lock.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <curvec/links.hpp>
#include <curvec/parallel.hpp>
#include <deque>
#include <string>
#include <vector>

#include "bind/level.hpp"
#include "bind/register.hpp"
#include "score/program.hpp"

namespace curvec::score {

void run_base(const Task& task);
#if defined(CURVEC_X86_64_LEVELS)
void run_x86_64_v3(const Task& task);
void run_x86_64_v4(const Task& task);
#endif

}  // namespace curvec::score

namespace curvec::bind {
namespace {

namespace py = pybind11;
using score::Column;
using score::Node;
using score::Type;
using Doubles = py::array_t<double, py::array::c_style | py::array::forcecast>;

score::Engine best_engine() {
#if defined(CURVEC_X86_64_LEVELS)
  const int level = processor_level();
  if (level == 4) return score::run_x86_64_v4;
  if (level == 3) return score::run_x86_64_v3;
#endif
  return score::run_base;
}

Column column_of(const py::array& array) {
  const char kind = array.dtype().kind();
  const auto size = array.itemsize();
  const std::array<std::tuple<char, py::ssize_t, Type>, 9> types{{{'f', 8, Type::kFloat64},
                                                                  {'f', 4, Type::kFloat32},
                                                                  {'i', 8, Type::kInt64},
                                                                  {'i', 4, Type::kInt32},
                                                                  {'i', 2, Type::kInt16},
                                                                  {'i', 1, Type::kInt8},
                                                                  {'u', 4, Type::kUint32},
                                                                  {'u', 2, Type::kUint16},
                                                                  {'u', 1, Type::kUint8}}};
  for (const auto& [of_kind, of_size, type] : types) {
    if (kind == of_kind && size == of_size) {
      return {static_cast<const char*>(array.data()), array.shape(0) > 1 ? array.strides(0) : size, type};
    }
  }
  throw py::type_error("a column of this type must be converted first");
}

class Program {
 public:
  Program(const py::sequence& terms, double intercept, int link) : intercept_(intercept), link_(link) {
    terms_ = nodes(terms);
    terms_count_ = terms.size();
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  // The columns are arrays of one length; those of categories are the int32 codes that the terms were lowered for.
  py::array run(const std::vector<py::array>& arrays, std::size_t rows, bool per_term, bool predict,
                std::size_t threads) const {
    std::vector<Column> columns(arrays.size());
    std::transform(arrays.begin(), arrays.end(), columns.begin(), column_of);
    for (const auto& array : arrays) {
      if (array.ndim() != 1 || static_cast<std::size_t>(array.shape(0)) != rows) {
        throw py::value_error("a column has another length");
      }
    }
    const std::size_t width = per_term ? terms_count_ : 1;
    py::array_t<double> out(static_cast<py::ssize_t>(rows * width));
    score::Task task{terms_, terms_count_, intercept_, columns.data(), rows, 0, rows, out.mutable_data(), per_term};
    {
      py::gil_scoped_release release;
      split(task, threads, predict);
    }
    return out;
  }

  void one(const double* numbers, const std::int32_t* codes, std::size_t count, double* score) const {
    std::array<Column, 64> few;
    std::vector<Column> many(count > few.size() ? count : 0);
    Column* columns = many.empty() ? few.data() : many.data();
    for (std::size_t i = 0; i < count; ++i) {
      columns[i] = {reinterpret_cast<const char*>(numbers + i), sizeof(double), Type::kFloat64};
      if (codes[i] != kNumber) columns[i] = {reinterpret_cast<const char*>(codes + i), sizeof(*codes), Type::kInt32};
    }
    score::run_base({terms_, terms_count_, intercept_, columns, 1, 0, 1, score, false});
  }

  double inverse(double score) const {
    return link_ == 0 ? score : link_ == 1 ? LogitLink::Inverse(score) : LogLink::Inverse(score);
  }

  static constexpr std::int32_t kNumber = -3;  // where a code would be: the column is a number

 private:
  void part(const score::Task& task, bool predict) const {
    static const score::Engine engine = best_engine();
    engine(task);
    for (std::size_t i = task.first; predict && i < task.last; ++i) task.out[i] = inverse(task.out[i]);
  }

  void split(const score::Task& task, std::size_t threads, bool predict) const {
    SplitRows(task.rows, threads, [&](std::size_t first, std::size_t last) {
      score::Task some = task;
      some.first = first;
      some.last = last;
      part(some, predict);
    });
  }

  const double* keep(const py::handle& values) {
    const auto array = py::cast<Doubles>(values);
    tables_.emplace_back(array.data(), array.data() + array.size());
    return tables_.back().data();
  }

  const Node* nodes(const py::sequence& terms) {
    nodes_.emplace_back(terms.size());
    std::vector<Node>& result = nodes_.back();
    for (std::size_t i = 0; i < terms.size(); ++i) result[i] = node(py::cast<py::dict>(terms[i]));
    return result.data();
  }

  // The keys of a lowered term are the fields of Node.
  Node node(const py::dict& term) {
    Node node{};
    node.kind = static_cast<score::Kind>(py::cast<int>(term["kind"]));
    if (term.contains("fx")) node.fx = static_cast<score::Fx>(py::cast<int>(term["fx"]));
    if (term.contains("column")) node.column = py::cast<std::size_t>(term["column"]);
    if (term.contains("missing")) node.missing = py::cast<double>(term["missing"]);
    for (const auto& [name, field] :
         {std::pair{"x", &Node::x}, {"u", &Node::u}, {"y", &Node::y}, {"slopes", &Node::slopes}}) {
      if (term.contains(name)) node.*field = keep(term[name]);
    }
    if (term.contains("x")) node.count = py::len(term["x"]);
    if (term.contains("children")) {
      const auto children = py::cast<py::sequence>(term["children"]);
      node.children = nodes(children);
      node.children_count = children.size();
    }
    return node;
  }

  std::deque<std::vector<double>> tables_;
  std::deque<std::vector<Node>> nodes_;
  const Node* terms_ = nullptr;
  std::size_t terms_count_ = 0;
  double intercept_;
  int link_;
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
    double result = 0.0;
    program.one(numbers, codes, count, &result);
    return predict ? program.inverse(result) : result;
  }

 private:
  void read(const py::object& row, std::size_t i, double& number, std::int32_t& code) const {
    py::object value = PyDict_CheckExact(row.ptr())
                           ? py::reinterpret_borrow<py::object>(PyDict_GetItemWithError(row.ptr(), names_[i].ptr()))
                           : py::reinterpret_steal<py::object>(PyObject_GetItem(row.ptr(), names_[i].ptr()));
    if (!value) {
      if (PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_KeyError)) throw py::error_already_set();
      PyErr_Clear();
      value = py::none();  // of which convert_ finds out that it is not there
    }
    code = Program::kNumber;
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

  // A key of the levels' own type has its code there; of all others convert_ says what they are.
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
      .def(py::init<const py::sequence&, double, int>(), py::arg("terms"), py::arg("intercept"), py::arg("link"))
      .def("run", &Program::run, py::arg("columns"), py::arg("rows"), py::arg("per_term"), py::arg("predict"),
           py::arg("threads"));
  py::class_<RowReader>(module, "RowReader")
      .def(py::init<const py::sequence&, py::function>(), py::arg("features"), py::arg("convert"))
      .def("score", &RowReader::score, py::arg("program"), py::arg("row"), py::arg("predict"));
}

}  // namespace curvec::bind
