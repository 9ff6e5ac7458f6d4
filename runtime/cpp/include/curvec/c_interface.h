/* What the functions of an emitted model's C interface take and return. C99 and C++. */
#ifndef CURVEC_C_INTERFACE_H
#define CURVEC_C_INTERFACE_H

#include <curvec/column.h>

/* The type of a feature, which says how its column may be stored. */
enum curvec_type {
  CURVEC_NUMBER = 0,  /* any number */
  CURVEC_INTEGER = 1, /* categories that are integers: any number; a fraction is an unseen category */
  CURVEC_STRING = 2,  /* categories that are text */
  CURVEC_BOOLEAN = 3  /* any number, if 0 or 1 */
};

/* What a function returns. Where it is not CURVEC_OK, nothing was written. */
enum curvec_status {
  CURVEC_OK = 0,
  CURVEC_NULL_POINTER = 1,
  CURVEC_WRONG_COLUMN_COUNT = 2,
  CURVEC_NEGATIVE_ROWS = 3,
  CURVEC_COLUMN_NOT_SET = 4,
  CURVEC_WRONG_STORAGE = 5,
  CURVEC_WRONG_TEXT = 6,
  CURVEC_WRONG_BOOLEAN = 7
};

#endif /* CURVEC_C_INTERFACE_H */
