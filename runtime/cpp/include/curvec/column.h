/* A column of many rows, as a model reads it: from C++, from other languages, and from a program made at run time.
   C99 and C++. */
#ifndef CURVEC_COLUMN_H
#define CURVEC_COLUMN_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a column's values are stored. */
enum curvec_storage {
  CURVEC_NOT_SET = 0,     /* what a zeroed curvec_column says: it was forgotten */
  CURVEC_ALL_MISSING = 1, /* no row has a value */
  CURVEC_FLOAT64 = 2,
  CURVEC_FLOAT32 = 3,
  CURVEC_INT64 = 4,
  CURVEC_INT32 = 5,
  CURVEC_INT16 = 6,
  CURVEC_INT8 = 7,
  CURVEC_UINT64 = 8,
  CURVEC_UINT32 = 9,
  CURVEC_UINT16 = 10,
  CURVEC_UINT8 = 11,      /* also a bool a byte: 0 or 1 */
  CURVEC_TEXT = 12,       /* Arrow's: offsets and bytes */
  CURVEC_TEXT_CODES = 13, /* int32_t codes into such a text, negative for missing */
  CURVEC_TEXT_VIEWS = 14, /* a std::string_view a row, from C++ only */
  CURVEC_LEVEL_CODES = 15 /* int32_t codes of a program's levels (curvec/nodes.hpp), from its own callers only */
};

struct curvec_column {
  const void* values;      /* one number or code a row, aligned or not; null for text without codes */
  const int64_t* offsets;  /* text: entry i begins at offsets[i] and ends before offsets[i + 1] in `bytes` */
  const char* bytes;       /* text: UTF-8 */
  const uint8_t* validity; /* one bit a row, lowest first, 1 where there is a value; null where all are there */
  int64_t first;           /* the bit of row 0, and its text entry where there are no codes */
  int64_t stride;          /* bytes from one row's value to the next one's; 0 where they stand side by side */
  int64_t entries;         /* text with codes: the number of entries, which every code is below */
  int32_t storage;         /* a curvec_storage */
};

#ifdef __cplusplus
}
#endif

#endif /* CURVEC_COLUMN_H */
