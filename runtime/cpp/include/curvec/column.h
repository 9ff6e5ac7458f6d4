/* A column of many rows as other languages pass it to an emitted model's C interface. C99 and C++. */
#ifndef CURVEC_COLUMN_H
#define CURVEC_COLUMN_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a column's values are stored. */
enum curvec_storage {
  CURVEC_FLOAT64 = 0,
  CURVEC_FLOAT32 = 1,
  CURVEC_INT64 = 2,
  CURVEC_INT32 = 3,
  CURVEC_INT8 = 4,       /* also a bool a byte */
  CURVEC_TEXT = 5,       /* Arrow's: offsets and bytes */
  CURVEC_TEXT_CODES = 6, /* int32_t codes into such a text, negative for missing */
  CURVEC_TEXT_VIEWS = 7  /* a std::string_view a row, from C++ only */
};

struct curvec_column {
  const void* values;      /* one number or code a row; null for text without codes */
  const int64_t* offsets;  /* text: entry i begins at offsets[i] and ends before offsets[i + 1] in `bytes` */
  const char* bytes;       /* text: UTF-8 */
  const uint8_t* validity; /* one bit a row, lowest first, 1 where there is a value; null where all are there */
  int64_t first;           /* the bit of row 0, and its text entry where there are no codes */
  int32_t storage;         /* a curvec_storage */
};

#ifdef __cplusplus
}
#endif

#endif /* CURVEC_COLUMN_H */
