-- recidivism: the raw score in SQLite, 11 terms
(
  -- intercept
  -1.25e0
  -- age: log, (18, 3.13), (21, 0.5914), (46, -0.7206); missing 1.5; note: approved
  + CASE
    WHEN +`age` <= 18e0 THEN 3.13e0
    WHEN +`age` < 21e0 THEN 3.13e0 - 16.468302331489937e0 * (LN(`age`) - 2.8903717578961645e0)
    WHEN +`age` < 46e0 THEN 0.5914e0 - 1.6732155055468838e0 * (LN(`age`) - 3.044522437723423e0)
    WHEN -`age` <= -46e0 THEN -0.7206e0
    WHEN `age` IS NULL THEN 1.5e0
    ELSE -- text, which is not a number before it is cast
    CASE
      WHEN CAST(`age` AS REAL) <= 18e0 THEN 3.13e0
      WHEN CAST(`age` AS REAL) < 21e0 THEN 3.13e0 - 16.468302331489937e0 * (LN(CAST(`age` AS REAL)) - 2.8903717578961645e0)
      WHEN CAST(`age` AS REAL) < 46e0 THEN 0.5914e0 - 1.6732155055468838e0 * (LN(CAST(`age` AS REAL)) - 3.044522437723423e0)
      WHEN -CAST(`age` AS REAL) <= -46e0 THEN -0.7206e0
      ELSE 1.5e0
    END
  END
  -- priors count: -0.4, then from (1, 0.1), (2.5, 0.75), (10, 1.9)
  + CASE
    WHEN +`priors count` < 1e0 THEN -0.4e0
    WHEN +`priors count` < 2.5e0 THEN 0.1e0
    WHEN +`priors count` < 10e0 THEN 0.75e0
    WHEN -`priors count` <= -10e0 THEN 1.9e0
    WHEN `priors count` IS NULL THEN NULL
    ELSE -- text, which is not a number before it is cast
    CASE
      WHEN CAST(`priors count` AS REAL) < 1e0 THEN -0.4e0
      WHEN CAST(`priors count` AS REAL) < 2.5e0 THEN 0.1e0
      WHEN CAST(`priors count` AS REAL) < 10e0 THEN 0.75e0
      WHEN -CAST(`priors count` AS REAL) <= -10e0 THEN 1.9e0
      ELSE NULL
    END
  END
  -- charge: F: 0.0198, M': -0.0384, \xdcn\xef\n: 0.5; unseen 0.25
  + CASE
    WHEN `charge` COLLATE BINARY IS NULL THEN NULL
    WHEN `charge` COLLATE BINARY = 'F' THEN 1.9800000000000002e-02
    WHEN `charge` COLLATE BINARY = 'M''' THEN -3.8399999999999997e-02
    WHEN `charge` COLLATE BINARY = ('Ünï' || CHAR(10)) THEN 0.5e0
    ELSE 0.25e0
  END
  -- kind: 1: 0.5, 2: -0.5; unseen 0.1; missing 0.2
  + CASE
    WHEN `kind` = 1 THEN 0.5e0
    WHEN `kind` = 2 THEN -0.5e0
    WHEN `kind` IS NOT NULL THEN 0.1e0
    ELSE 0.2e0
  END
  -- felony: True: 0.3, False: -0.3
  + CASE
    WHEN `felony` = 1 THEN 0.3e0
    WHEN `felony` = 0 THEN -0.3e0
    ELSE NULL
  END
  -- balance: symlog1p, (-1000, 1), (0, 0), (1000, -2)
  + CASE
    WHEN +`balance` <= -1000e0 THEN 1e0
    WHEN +`balance` < 0e0 THEN 1e0 - 0.1447438839476537e0 * (-(CASE
      WHEN 1e0 + (-`balance`) = 1e0 THEN (-`balance`)
      ELSE LN(1e0 + (-`balance`)) * ((-`balance`) / ((1e0 + (-`balance`)) - 1e0))
    END) + 6.9087547793152204e00)
    WHEN +`balance` < 1000e0 THEN 0e0 - 0.2894877678953074e0 * (CASE
      WHEN 1e0 + `balance` = 1e0 THEN `balance`
      ELSE LN(1e0 + `balance`) * (`balance` / ((1e0 + `balance`) - 1e0))
    END)
    WHEN -`balance` <= -1000e0 THEN -2e0
    WHEN `balance` IS NULL THEN NULL
    ELSE -- text, which is not a number before it is cast
    CASE
      WHEN CAST(`balance` AS REAL) <= -1000e0 THEN 1e0
      WHEN CAST(`balance` AS REAL) < 0e0 THEN 1e0 - 0.1447438839476537e0 * (-(CASE
        WHEN 1e0 + (-CAST(`balance` AS REAL)) = 1e0 THEN (-CAST(`balance` AS REAL))
        ELSE LN(1e0 + (-CAST(`balance` AS REAL))) * ((-CAST(`balance` AS REAL)) / ((1e0 + (-CAST(`balance` AS REAL))) - 1e0))
      END) + 6.9087547793152204e00)
      WHEN CAST(`balance` AS REAL) < 1000e0 THEN 0e0 - 0.2894877678953074e0 * (CASE
        WHEN 1e0 + CAST(`balance` AS REAL) = 1e0 THEN CAST(`balance` AS REAL)
        ELSE LN(1e0 + CAST(`balance` AS REAL)) * (CAST(`balance` AS REAL) / ((1e0 + CAST(`balance` AS REAL)) - 1e0))
      END)
      WHEN -CAST(`balance` AS REAL) <= -1000e0 THEN -2e0
      ELSE NULL
    END
  END
  -- balance: log1p, (-0.5, 0), (1e-07, 0.1), (7, -2)
  + CASE
    WHEN +`balance` <= -0.5e0 THEN 0e0
    WHEN +`balance` < 1e-07 THEN 0e0 + 0.14426948327521058e0 * (CASE
      WHEN 1e0 + `balance` = 1e0 THEN `balance`
      ELSE LN(1e0 + `balance`) * (`balance` / ((1e0 + `balance`) - 1e0))
    END + 0.6931471805599453e0)
    WHEN +`balance` < 7e0 THEN 0.1e0 - 1.0098865771875507e0 * (LN(1e0 + `balance`) * (`balance` / ((1e0 + `balance`) - 1e0)) - 9.999999500000033e-08)
    WHEN -`balance` <= -7e0 THEN -2e0
    WHEN `balance` IS NULL THEN NULL
    ELSE -- text, which is not a number before it is cast
    CASE
      WHEN CAST(`balance` AS REAL) <= -0.5e0 THEN 0e0
      WHEN CAST(`balance` AS REAL) < 1e-07 THEN 0e0 + 0.14426948327521058e0 * (CASE
        WHEN 1e0 + CAST(`balance` AS REAL) = 1e0 THEN CAST(`balance` AS REAL)
        ELSE LN(1e0 + CAST(`balance` AS REAL)) * (CAST(`balance` AS REAL) / ((1e0 + CAST(`balance` AS REAL)) - 1e0))
      END + 0.6931471805599453e0)
      WHEN CAST(`balance` AS REAL) < 7e0 THEN 0.1e0 - 1.0098865771875507e0 * (LN(1e0 + CAST(`balance` AS REAL)) * (CAST(`balance` AS REAL) / ((1e0 + CAST(`balance` AS REAL)) - 1e0)) - 9.999999500000033e-08)
      WHEN -CAST(`balance` AS REAL) <= -7e0 THEN -2e0
      ELSE NULL
    END
  END
  -- product of 2
  + (
    -- sum of 2
    (
      -- age: log, (18, 3.13), (21, 0.5914), (46, -0.7206); missing 1.5; note: approved
      CASE
        WHEN +`age` <= 18e0 THEN 3.13e0
        WHEN +`age` < 21e0 THEN 3.13e0 - 16.468302331489937e0 * (LN(`age`) - 2.8903717578961645e0)
        WHEN +`age` < 46e0 THEN 0.5914e0 - 1.6732155055468838e0 * (LN(`age`) - 3.044522437723423e0)
        WHEN -`age` <= -46e0 THEN -0.7206e0
        WHEN `age` IS NULL THEN 1.5e0
        ELSE -- text, which is not a number before it is cast
        CASE
          WHEN CAST(`age` AS REAL) <= 18e0 THEN 3.13e0
          WHEN CAST(`age` AS REAL) < 21e0 THEN 3.13e0 - 16.468302331489937e0 * (LN(CAST(`age` AS REAL)) - 2.8903717578961645e0)
          WHEN CAST(`age` AS REAL) < 46e0 THEN 0.5914e0 - 1.6732155055468838e0 * (LN(CAST(`age` AS REAL)) - 3.044522437723423e0)
          WHEN -CAST(`age` AS REAL) <= -46e0 THEN -0.7206e0
          ELSE 1.5e0
        END
      END
      -- charge: F: 0.0198, M': -0.0384, \xdcn\xef\n: 0.5; unseen 0.25
      + CASE
        WHEN `charge` COLLATE BINARY IS NULL THEN NULL
        WHEN `charge` COLLATE BINARY = 'F' THEN 1.9800000000000002e-02
        WHEN `charge` COLLATE BINARY = 'M''' THEN -3.8399999999999997e-02
        WHEN `charge` COLLATE BINARY = ('Ünï' || CHAR(10)) THEN 0.5e0
        ELSE 0.25e0
      END
    )
    -- balance: the value itself
    * CAST(`balance` AS REAL)
  )
  -- a sum of 2: (0, 0.1), (1, 0.3)
  + CASE
    WHEN (
    CASE
      WHEN +`priors count` < 1e0 THEN -0.4e0
      WHEN +`priors count` < 2.5e0 THEN 0.1e0
      WHEN +`priors count` < 10e0 THEN 0.75e0
      WHEN -`priors count` <= -10e0 THEN 1.9e0
      WHEN `priors count` IS NULL THEN NULL
      ELSE -- text, which is not a number before it is cast
      CASE
        WHEN CAST(`priors count` AS REAL) < 1e0 THEN -0.4e0
        WHEN CAST(`priors count` AS REAL) < 2.5e0 THEN 0.1e0
        WHEN CAST(`priors count` AS REAL) < 10e0 THEN 0.75e0
        WHEN -CAST(`priors count` AS REAL) <= -10e0 THEN 1.9e0
        ELSE NULL
      END
    END
    + CAST(`balance` AS REAL)
  ) <= 0e0 THEN 0.1e0
    WHEN (
    CASE
      WHEN +`priors count` < 1e0 THEN -0.4e0
      WHEN +`priors count` < 2.5e0 THEN 0.1e0
      WHEN +`priors count` < 10e0 THEN 0.75e0
      WHEN -`priors count` <= -10e0 THEN 1.9e0
      WHEN `priors count` IS NULL THEN NULL
      ELSE -- text, which is not a number before it is cast
      CASE
        WHEN CAST(`priors count` AS REAL) < 1e0 THEN -0.4e0
        WHEN CAST(`priors count` AS REAL) < 2.5e0 THEN 0.1e0
        WHEN CAST(`priors count` AS REAL) < 10e0 THEN 0.75e0
        WHEN -CAST(`priors count` AS REAL) <= -10e0 THEN 1.9e0
        ELSE NULL
      END
    END
    + CAST(`balance` AS REAL)
  ) < 1e0 THEN 0.1e0 + 0.19999999999999998e0 * (
      CASE
        WHEN +`priors count` < 1e0 THEN -0.4e0
        WHEN +`priors count` < 2.5e0 THEN 0.1e0
        WHEN +`priors count` < 10e0 THEN 0.75e0
        WHEN -`priors count` <= -10e0 THEN 1.9e0
        WHEN `priors count` IS NULL THEN NULL
        ELSE -- text, which is not a number before it is cast
        CASE
          WHEN CAST(`priors count` AS REAL) < 1e0 THEN -0.4e0
          WHEN CAST(`priors count` AS REAL) < 2.5e0 THEN 0.1e0
          WHEN CAST(`priors count` AS REAL) < 10e0 THEN 0.75e0
          WHEN -CAST(`priors count` AS REAL) <= -10e0 THEN 1.9e0
          ELSE NULL
        END
      END
      + CAST(`balance` AS REAL)
    )
    WHEN -(
    CASE
      WHEN +`priors count` < 1e0 THEN -0.4e0
      WHEN +`priors count` < 2.5e0 THEN 0.1e0
      WHEN +`priors count` < 10e0 THEN 0.75e0
      WHEN -`priors count` <= -10e0 THEN 1.9e0
      WHEN `priors count` IS NULL THEN NULL
      ELSE -- text, which is not a number before it is cast
      CASE
        WHEN CAST(`priors count` AS REAL) < 1e0 THEN -0.4e0
        WHEN CAST(`priors count` AS REAL) < 2.5e0 THEN 0.1e0
        WHEN CAST(`priors count` AS REAL) < 10e0 THEN 0.75e0
        WHEN -CAST(`priors count` AS REAL) <= -10e0 THEN 1.9e0
        ELSE NULL
      END
    END
    + CAST(`balance` AS REAL)
  ) <= -1e0 THEN 0.3e0
    ELSE NULL
  END
  -- score 2: 0, then from (0, 0.1), (0.125, 0.2), (0.25, 0.3), ... (8.625, 0): 70 cuts
  + CASE
    WHEN +`score 2` < 4.375e0 THEN CASE
      WHEN +`score 2` < 2.125e0 THEN CASE
        WHEN +`score 2` < 1e0 THEN CASE
          WHEN +`score 2` < 0.5e0 THEN CASE
            WHEN +`score 2` < 0.25e0 THEN CASE
              WHEN +`score 2` < 0.125e0 THEN CASE
                WHEN +`score 2` < 0e0 THEN 0e0
                ELSE 0.1e0
              END
              ELSE 0.2e0
            END
            ELSE CASE
              WHEN +`score 2` < 0.375e0 THEN 0.3e0
              ELSE 0.4e0
            END
          END
          ELSE CASE
            WHEN +`score 2` < 0.75e0 THEN CASE
              WHEN +`score 2` < 0.625e0 THEN 0.5e0
              ELSE 0.6e0
            END
            ELSE CASE
              WHEN +`score 2` < 0.875e0 THEN 0e0
              ELSE 0.1e0
            END
          END
        END
        ELSE CASE
          WHEN +`score 2` < 1.625e0 THEN CASE
            WHEN +`score 2` < 1.375e0 THEN CASE
              WHEN +`score 2` < 1.25e0 THEN CASE
                WHEN +`score 2` < 1.125e0 THEN 0.2e0
                ELSE 0.3e0
              END
              ELSE 0.4e0
            END
            ELSE CASE
              WHEN +`score 2` < 1.5e0 THEN 0.5e0
              ELSE 0.6e0
            END
          END
          ELSE CASE
            WHEN +`score 2` < 1.875e0 THEN CASE
              WHEN +`score 2` < 1.75e0 THEN 0e0
              ELSE 0.1e0
            END
            ELSE CASE
              WHEN +`score 2` < 2e0 THEN 0.2e0
              ELSE 0.3e0
            END
          END
        END
      END
      ELSE CASE
        WHEN +`score 2` < 3.25e0 THEN CASE
          WHEN +`score 2` < 2.75e0 THEN CASE
            WHEN +`score 2` < 2.5e0 THEN CASE
              WHEN +`score 2` < 2.375e0 THEN CASE
                WHEN +`score 2` < 2.25e0 THEN 0.4e0
                ELSE 0.5e0
              END
              ELSE 0.6e0
            END
            ELSE CASE
              WHEN +`score 2` < 2.625e0 THEN 0e0
              ELSE 0.1e0
            END
          END
          ELSE CASE
            WHEN +`score 2` < 3e0 THEN CASE
              WHEN +`score 2` < 2.875e0 THEN 0.2e0
              ELSE 0.3e0
            END
            ELSE CASE
              WHEN +`score 2` < 3.125e0 THEN 0.4e0
              ELSE 0.5e0
            END
          END
        END
        ELSE CASE
          WHEN +`score 2` < 3.875e0 THEN CASE
            WHEN +`score 2` < 3.625e0 THEN CASE
              WHEN +`score 2` < 3.5e0 THEN CASE
                WHEN +`score 2` < 3.375e0 THEN 0.6e0
                ELSE 0e0
              END
              ELSE 0.1e0
            END
            ELSE CASE
              WHEN +`score 2` < 3.75e0 THEN 0.2e0
              ELSE 0.3e0
            END
          END
          ELSE CASE
            WHEN +`score 2` < 4.125e0 THEN CASE
              WHEN +`score 2` < 4e0 THEN 0.4e0
              ELSE 0.5e0
            END
            ELSE CASE
              WHEN +`score 2` < 4.25e0 THEN 0.6e0
              ELSE 0e0
            END
          END
        END
      END
    END
    ELSE CASE
      WHEN +`score 2` < 6.625e0 THEN CASE
        WHEN +`score 2` < 5.5e0 THEN CASE
          WHEN +`score 2` < 5e0 THEN CASE
            WHEN +`score 2` < 4.75e0 THEN CASE
              WHEN +`score 2` < 4.625e0 THEN CASE
                WHEN +`score 2` < 4.5e0 THEN 0.1e0
                ELSE 0.2e0
              END
              ELSE 0.3e0
            END
            ELSE CASE
              WHEN +`score 2` < 4.875e0 THEN 0.4e0
              ELSE 0.5e0
            END
          END
          ELSE CASE
            WHEN +`score 2` < 5.25e0 THEN CASE
              WHEN +`score 2` < 5.125e0 THEN 0.6e0
              ELSE 0e0
            END
            ELSE CASE
              WHEN +`score 2` < 5.375e0 THEN 0.1e0
              ELSE 0.2e0
            END
          END
        END
        ELSE CASE
          WHEN +`score 2` < 6.125e0 THEN CASE
            WHEN +`score 2` < 5.875e0 THEN CASE
              WHEN +`score 2` < 5.75e0 THEN CASE
                WHEN +`score 2` < 5.625e0 THEN 0.3e0
                ELSE 0.4e0
              END
              ELSE 0.5e0
            END
            ELSE CASE
              WHEN +`score 2` < 6e0 THEN 0.6e0
              ELSE 0e0
            END
          END
          ELSE CASE
            WHEN +`score 2` < 6.375e0 THEN CASE
              WHEN +`score 2` < 6.25e0 THEN 0.1e0
              ELSE 0.2e0
            END
            ELSE CASE
              WHEN +`score 2` < 6.5e0 THEN 0.3e0
              ELSE 0.4e0
            END
          END
        END
      END
      ELSE CASE
        WHEN +`score 2` < 7.75e0 THEN CASE
          WHEN +`score 2` < 7.25e0 THEN CASE
            WHEN +`score 2` < 7e0 THEN CASE
              WHEN +`score 2` < 6.875e0 THEN CASE
                WHEN +`score 2` < 6.75e0 THEN 0.5e0
                ELSE 0.6e0
              END
              ELSE 0e0
            END
            ELSE CASE
              WHEN +`score 2` < 7.125e0 THEN 0.1e0
              ELSE 0.2e0
            END
          END
          ELSE CASE
            WHEN +`score 2` < 7.5e0 THEN CASE
              WHEN +`score 2` < 7.375e0 THEN 0.3e0
              ELSE 0.4e0
            END
            ELSE CASE
              WHEN +`score 2` < 7.625e0 THEN 0.5e0
              ELSE 0.6e0
            END
          END
        END
        ELSE CASE
          WHEN +`score 2` < 8.25e0 THEN CASE
            WHEN +`score 2` < 8e0 THEN CASE
              WHEN +`score 2` < 7.875e0 THEN 0e0
              ELSE 0.1e0
            END
            ELSE CASE
              WHEN +`score 2` < 8.125e0 THEN 0.2e0
              ELSE 0.3e0
            END
          END
          ELSE CASE
            WHEN +`score 2` < 8.5e0 THEN CASE
              WHEN +`score 2` < 8.375e0 THEN 0.4e0
              ELSE 0.5e0
            END
            ELSE CASE
              WHEN +`score 2` < 8.625e0 THEN 0.6e0
              WHEN -`score 2` <= -8.625e0 THEN 0e0
              WHEN `score 2` IS NULL THEN NULL
              ELSE -- text, which is not a number before it is cast
              CASE
                WHEN CAST(`score 2` AS REAL) < 4.375e0 THEN CASE
                  WHEN CAST(`score 2` AS REAL) < 2.125e0 THEN CASE
                    WHEN CAST(`score 2` AS REAL) < 1e0 THEN CASE
                      WHEN CAST(`score 2` AS REAL) < 0.5e0 THEN CASE
                        WHEN CAST(`score 2` AS REAL) < 0.25e0 THEN CASE
                          WHEN CAST(`score 2` AS REAL) < 0.125e0 THEN CASE
                            WHEN CAST(`score 2` AS REAL) < 0e0 THEN 0e0
                            ELSE 0.1e0
                          END
                          ELSE 0.2e0
                        END
                        ELSE CASE
                          WHEN CAST(`score 2` AS REAL) < 0.375e0 THEN 0.3e0
                          ELSE 0.4e0
                        END
                      END
                      ELSE CASE
                        WHEN CAST(`score 2` AS REAL) < 0.75e0 THEN CASE
                          WHEN CAST(`score 2` AS REAL) < 0.625e0 THEN 0.5e0
                          ELSE 0.6e0
                        END
                        ELSE CASE
                          WHEN CAST(`score 2` AS REAL) < 0.875e0 THEN 0e0
                          ELSE 0.1e0
                        END
                      END
                    END
                    ELSE CASE
                      WHEN CAST(`score 2` AS REAL) < 1.625e0 THEN CASE
                        WHEN CAST(`score 2` AS REAL) < 1.375e0 THEN CASE
                          WHEN CAST(`score 2` AS REAL) < 1.25e0 THEN CASE
                            WHEN CAST(`score 2` AS REAL) < 1.125e0 THEN 0.2e0
                            ELSE 0.3e0
                          END
                          ELSE 0.4e0
                        END
                        ELSE CASE
                          WHEN CAST(`score 2` AS REAL) < 1.5e0 THEN 0.5e0
                          ELSE 0.6e0
                        END
                      END
                      ELSE CASE
                        WHEN CAST(`score 2` AS REAL) < 1.875e0 THEN CASE
                          WHEN CAST(`score 2` AS REAL) < 1.75e0 THEN 0e0
                          ELSE 0.1e0
                        END
                        ELSE CASE
                          WHEN CAST(`score 2` AS REAL) < 2e0 THEN 0.2e0
                          ELSE 0.3e0
                        END
                      END
                    END
                  END
                  ELSE CASE
                    WHEN CAST(`score 2` AS REAL) < 3.25e0 THEN CASE
                      WHEN CAST(`score 2` AS REAL) < 2.75e0 THEN CASE
                        WHEN CAST(`score 2` AS REAL) < 2.5e0 THEN CASE
                          WHEN CAST(`score 2` AS REAL) < 2.375e0 THEN CASE
                            WHEN CAST(`score 2` AS REAL) < 2.25e0 THEN 0.4e0
                            ELSE 0.5e0
                          END
                          ELSE 0.6e0
                        END
                        ELSE CASE
                          WHEN CAST(`score 2` AS REAL) < 2.625e0 THEN 0e0
                          ELSE 0.1e0
                        END
                      END
                      ELSE CASE
                        WHEN CAST(`score 2` AS REAL) < 3e0 THEN CASE
                          WHEN CAST(`score 2` AS REAL) < 2.875e0 THEN 0.2e0
                          ELSE 0.3e0
                        END
                        ELSE CASE
                          WHEN CAST(`score 2` AS REAL) < 3.125e0 THEN 0.4e0
                          ELSE 0.5e0
                        END
                      END
                    END
                    ELSE CASE
                      WHEN CAST(`score 2` AS REAL) < 3.875e0 THEN CASE
                        WHEN CAST(`score 2` AS REAL) < 3.625e0 THEN CASE
                          WHEN CAST(`score 2` AS REAL) < 3.5e0 THEN CASE
                            WHEN CAST(`score 2` AS REAL) < 3.375e0 THEN 0.6e0
                            ELSE 0e0
                          END
                          ELSE 0.1e0
                        END
                        ELSE CASE
                          WHEN CAST(`score 2` AS REAL) < 3.75e0 THEN 0.2e0
                          ELSE 0.3e0
                        END
                      END
                      ELSE CASE
                        WHEN CAST(`score 2` AS REAL) < 4.125e0 THEN CASE
                          WHEN CAST(`score 2` AS REAL) < 4e0 THEN 0.4e0
                          ELSE 0.5e0
                        END
                        ELSE CASE
                          WHEN CAST(`score 2` AS REAL) < 4.25e0 THEN 0.6e0
                          ELSE 0e0
                        END
                      END
                    END
                  END
                END
                ELSE CASE
                  WHEN CAST(`score 2` AS REAL) < 6.625e0 THEN CASE
                    WHEN CAST(`score 2` AS REAL) < 5.5e0 THEN CASE
                      WHEN CAST(`score 2` AS REAL) < 5e0 THEN CASE
                        WHEN CAST(`score 2` AS REAL) < 4.75e0 THEN CASE
                          WHEN CAST(`score 2` AS REAL) < 4.625e0 THEN CASE
                            WHEN CAST(`score 2` AS REAL) < 4.5e0 THEN 0.1e0
                            ELSE 0.2e0
                          END
                          ELSE 0.3e0
                        END
                        ELSE CASE
                          WHEN CAST(`score 2` AS REAL) < 4.875e0 THEN 0.4e0
                          ELSE 0.5e0
                        END
                      END
                      ELSE CASE
                        WHEN CAST(`score 2` AS REAL) < 5.25e0 THEN CASE
                          WHEN CAST(`score 2` AS REAL) < 5.125e0 THEN 0.6e0
                          ELSE 0e0
                        END
                        ELSE CASE
                          WHEN CAST(`score 2` AS REAL) < 5.375e0 THEN 0.1e0
                          ELSE 0.2e0
                        END
                      END
                    END
                    ELSE CASE
                      WHEN CAST(`score 2` AS REAL) < 6.125e0 THEN CASE
                        WHEN CAST(`score 2` AS REAL) < 5.875e0 THEN CASE
                          WHEN CAST(`score 2` AS REAL) < 5.75e0 THEN CASE
                            WHEN CAST(`score 2` AS REAL) < 5.625e0 THEN 0.3e0
                            ELSE 0.4e0
                          END
                          ELSE 0.5e0
                        END
                        ELSE CASE
                          WHEN CAST(`score 2` AS REAL) < 6e0 THEN 0.6e0
                          ELSE 0e0
                        END
                      END
                      ELSE CASE
                        WHEN CAST(`score 2` AS REAL) < 6.375e0 THEN CASE
                          WHEN CAST(`score 2` AS REAL) < 6.25e0 THEN 0.1e0
                          ELSE 0.2e0
                        END
                        ELSE CASE
                          WHEN CAST(`score 2` AS REAL) < 6.5e0 THEN 0.3e0
                          ELSE 0.4e0
                        END
                      END
                    END
                  END
                  ELSE CASE
                    WHEN CAST(`score 2` AS REAL) < 7.75e0 THEN CASE
                      WHEN CAST(`score 2` AS REAL) < 7.25e0 THEN CASE
                        WHEN CAST(`score 2` AS REAL) < 7e0 THEN CASE
                          WHEN CAST(`score 2` AS REAL) < 6.875e0 THEN CASE
                            WHEN CAST(`score 2` AS REAL) < 6.75e0 THEN 0.5e0
                            ELSE 0.6e0
                          END
                          ELSE 0e0
                        END
                        ELSE CASE
                          WHEN CAST(`score 2` AS REAL) < 7.125e0 THEN 0.1e0
                          ELSE 0.2e0
                        END
                      END
                      ELSE CASE
                        WHEN CAST(`score 2` AS REAL) < 7.5e0 THEN CASE
                          WHEN CAST(`score 2` AS REAL) < 7.375e0 THEN 0.3e0
                          ELSE 0.4e0
                        END
                        ELSE CASE
                          WHEN CAST(`score 2` AS REAL) < 7.625e0 THEN 0.5e0
                          ELSE 0.6e0
                        END
                      END
                    END
                    ELSE CASE
                      WHEN CAST(`score 2` AS REAL) < 8.25e0 THEN CASE
                        WHEN CAST(`score 2` AS REAL) < 8e0 THEN CASE
                          WHEN CAST(`score 2` AS REAL) < 7.875e0 THEN 0e0
                          ELSE 0.1e0
                        END
                        ELSE CASE
                          WHEN CAST(`score 2` AS REAL) < 8.125e0 THEN 0.2e0
                          ELSE 0.3e0
                        END
                      END
                      ELSE CASE
                        WHEN CAST(`score 2` AS REAL) < 8.5e0 THEN CASE
                          WHEN CAST(`score 2` AS REAL) < 8.375e0 THEN 0.4e0
                          ELSE 0.5e0
                        END
                        ELSE CASE
                          WHEN CAST(`score 2` AS REAL) < 8.625e0 THEN 0.6e0
                          WHEN -CAST(`score 2` AS REAL) <= -8.625e0 THEN 0e0
                          ELSE NULL
                        END
                      END
                    END
                  END
                END
              END
            END
          END
        END
      END
    END
  END
  -- post code: 1000: 0, 1001: 0.0625, 1002: 0.125, ... 1199: 12.4375: 200 levels; unseen 0; missing -1
  + CASE
    WHEN `post code` COLLATE BINARY IS NULL THEN -1e0
    WHEN `post code` COLLATE BINARY = '1000' THEN 0e0
    WHEN `post code` COLLATE BINARY = '1001' THEN 0.0625e0
    WHEN `post code` COLLATE BINARY = '1002' THEN 0.125e0
    WHEN `post code` COLLATE BINARY = '1003' THEN 0.1875e0
    WHEN `post code` COLLATE BINARY = '1004' THEN 0.25e0
    WHEN `post code` COLLATE BINARY = '1005' THEN 0.3125e0
    WHEN `post code` COLLATE BINARY = '1006' THEN 0.375e0
    WHEN `post code` COLLATE BINARY = '1007' THEN 0.4375e0
    WHEN `post code` COLLATE BINARY = '1008' THEN 0.5e0
    WHEN `post code` COLLATE BINARY = '1009' THEN 0.5625e0
    WHEN `post code` COLLATE BINARY = '1010' THEN 0.625e0
    WHEN `post code` COLLATE BINARY = '1011' THEN 0.6875e0
    WHEN `post code` COLLATE BINARY = '1012' THEN 0.75e0
    WHEN `post code` COLLATE BINARY = '1013' THEN 0.8125e0
    WHEN `post code` COLLATE BINARY = '1014' THEN 0.875e0
    WHEN `post code` COLLATE BINARY = '1015' THEN 0.9375e0
    WHEN `post code` COLLATE BINARY = '1016' THEN 1e0
    WHEN `post code` COLLATE BINARY = '1017' THEN 1.0625e0
    WHEN `post code` COLLATE BINARY = '1018' THEN 1.125e0
    WHEN `post code` COLLATE BINARY = '1019' THEN 1.1875e0
    WHEN `post code` COLLATE BINARY = '1020' THEN 1.25e0
    WHEN `post code` COLLATE BINARY = '1021' THEN 1.3125e0
    WHEN `post code` COLLATE BINARY = '1022' THEN 1.375e0
    WHEN `post code` COLLATE BINARY = '1023' THEN 1.4375e0
    WHEN `post code` COLLATE BINARY = '1024' THEN 1.5e0
    WHEN `post code` COLLATE BINARY = '1025' THEN 1.5625e0
    WHEN `post code` COLLATE BINARY = '1026' THEN 1.625e0
    WHEN `post code` COLLATE BINARY = '1027' THEN 1.6875e0
    WHEN `post code` COLLATE BINARY = '1028' THEN 1.75e0
    WHEN `post code` COLLATE BINARY = '1029' THEN 1.8125e0
    WHEN `post code` COLLATE BINARY = '1030' THEN 1.875e0
    WHEN `post code` COLLATE BINARY = '1031' THEN 1.9375e0
    WHEN `post code` COLLATE BINARY = '1032' THEN 2e0
    WHEN `post code` COLLATE BINARY = '1033' THEN 2.0625e0
    WHEN `post code` COLLATE BINARY = '1034' THEN 2.125e0
    WHEN `post code` COLLATE BINARY = '1035' THEN 2.1875e0
    WHEN `post code` COLLATE BINARY = '1036' THEN 2.25e0
    WHEN `post code` COLLATE BINARY = '1037' THEN 2.3125e0
    WHEN `post code` COLLATE BINARY = '1038' THEN 2.375e0
    WHEN `post code` COLLATE BINARY = '1039' THEN 2.4375e0
    WHEN `post code` COLLATE BINARY = '1040' THEN 2.5e0
    WHEN `post code` COLLATE BINARY = '1041' THEN 2.5625e0
    WHEN `post code` COLLATE BINARY = '1042' THEN 2.625e0
    WHEN `post code` COLLATE BINARY = '1043' THEN 2.6875e0
    WHEN `post code` COLLATE BINARY = '1044' THEN 2.75e0
    WHEN `post code` COLLATE BINARY = '1045' THEN 2.8125e0
    WHEN `post code` COLLATE BINARY = '1046' THEN 2.875e0
    WHEN `post code` COLLATE BINARY = '1047' THEN 2.9375e0
    WHEN `post code` COLLATE BINARY = '1048' THEN 3e0
    WHEN `post code` COLLATE BINARY = '1049' THEN 3.0625e0
    WHEN `post code` COLLATE BINARY = '1050' THEN 3.125e0
    WHEN `post code` COLLATE BINARY = '1051' THEN 3.1875e0
    WHEN `post code` COLLATE BINARY = '1052' THEN 3.25e0
    WHEN `post code` COLLATE BINARY = '1053' THEN 3.3125e0
    WHEN `post code` COLLATE BINARY = '1054' THEN 3.375e0
    WHEN `post code` COLLATE BINARY = '1055' THEN 3.4375e0
    WHEN `post code` COLLATE BINARY = '1056' THEN 3.5e0
    WHEN `post code` COLLATE BINARY = '1057' THEN 3.5625e0
    WHEN `post code` COLLATE BINARY = '1058' THEN 3.625e0
    WHEN `post code` COLLATE BINARY = '1059' THEN 3.6875e0
    WHEN `post code` COLLATE BINARY = '1060' THEN 3.75e0
    WHEN `post code` COLLATE BINARY = '1061' THEN 3.8125e0
    WHEN `post code` COLLATE BINARY = '1062' THEN 3.875e0
    WHEN `post code` COLLATE BINARY = '1063' THEN 3.9375e0
    WHEN `post code` COLLATE BINARY = '1064' THEN 4e0
    WHEN `post code` COLLATE BINARY = '1065' THEN 4.0625e0
    WHEN `post code` COLLATE BINARY = '1066' THEN 4.125e0
    WHEN `post code` COLLATE BINARY = '1067' THEN 4.1875e0
    WHEN `post code` COLLATE BINARY = '1068' THEN 4.25e0
    WHEN `post code` COLLATE BINARY = '1069' THEN 4.3125e0
    WHEN `post code` COLLATE BINARY = '1070' THEN 4.375e0
    WHEN `post code` COLLATE BINARY = '1071' THEN 4.4375e0
    WHEN `post code` COLLATE BINARY = '1072' THEN 4.5e0
    WHEN `post code` COLLATE BINARY = '1073' THEN 4.5625e0
    WHEN `post code` COLLATE BINARY = '1074' THEN 4.625e0
    WHEN `post code` COLLATE BINARY = '1075' THEN 4.6875e0
    WHEN `post code` COLLATE BINARY = '1076' THEN 4.75e0
    WHEN `post code` COLLATE BINARY = '1077' THEN 4.8125e0
    WHEN `post code` COLLATE BINARY = '1078' THEN 4.875e0
    WHEN `post code` COLLATE BINARY = '1079' THEN 4.9375e0
    WHEN `post code` COLLATE BINARY = '1080' THEN 5e0
    WHEN `post code` COLLATE BINARY = '1081' THEN 5.0625e0
    WHEN `post code` COLLATE BINARY = '1082' THEN 5.125e0
    WHEN `post code` COLLATE BINARY = '1083' THEN 5.1875e0
    WHEN `post code` COLLATE BINARY = '1084' THEN 5.25e0
    WHEN `post code` COLLATE BINARY = '1085' THEN 5.3125e0
    WHEN `post code` COLLATE BINARY = '1086' THEN 5.375e0
    WHEN `post code` COLLATE BINARY = '1087' THEN 5.4375e0
    WHEN `post code` COLLATE BINARY = '1088' THEN 5.5e0
    WHEN `post code` COLLATE BINARY = '1089' THEN 5.5625e0
    WHEN `post code` COLLATE BINARY = '1090' THEN 5.625e0
    WHEN `post code` COLLATE BINARY = '1091' THEN 5.6875e0
    WHEN `post code` COLLATE BINARY = '1092' THEN 5.75e0
    WHEN `post code` COLLATE BINARY = '1093' THEN 5.8125e0
    WHEN `post code` COLLATE BINARY = '1094' THEN 5.875e0
    WHEN `post code` COLLATE BINARY = '1095' THEN 5.9375e0
    WHEN `post code` COLLATE BINARY = '1096' THEN 6e0
    WHEN `post code` COLLATE BINARY = '1097' THEN 6.0625e0
    WHEN `post code` COLLATE BINARY = '1098' THEN 6.125e0
    WHEN `post code` COLLATE BINARY = '1099' THEN 6.1875e0
    WHEN `post code` COLLATE BINARY = '1100' THEN 6.25e0
    WHEN `post code` COLLATE BINARY = '1101' THEN 6.3125e0
    WHEN `post code` COLLATE BINARY = '1102' THEN 6.375e0
    WHEN `post code` COLLATE BINARY = '1103' THEN 6.4375e0
    WHEN `post code` COLLATE BINARY = '1104' THEN 6.5e0
    WHEN `post code` COLLATE BINARY = '1105' THEN 6.5625e0
    WHEN `post code` COLLATE BINARY = '1106' THEN 6.625e0
    WHEN `post code` COLLATE BINARY = '1107' THEN 6.6875e0
    WHEN `post code` COLLATE BINARY = '1108' THEN 6.75e0
    WHEN `post code` COLLATE BINARY = '1109' THEN 6.8125e0
    WHEN `post code` COLLATE BINARY = '1110' THEN 6.875e0
    WHEN `post code` COLLATE BINARY = '1111' THEN 6.9375e0
    WHEN `post code` COLLATE BINARY = '1112' THEN 7e0
    WHEN `post code` COLLATE BINARY = '1113' THEN 7.0625e0
    WHEN `post code` COLLATE BINARY = '1114' THEN 7.125e0
    WHEN `post code` COLLATE BINARY = '1115' THEN 7.1875e0
    WHEN `post code` COLLATE BINARY = '1116' THEN 7.25e0
    WHEN `post code` COLLATE BINARY = '1117' THEN 7.3125e0
    WHEN `post code` COLLATE BINARY = '1118' THEN 7.375e0
    WHEN `post code` COLLATE BINARY = '1119' THEN 7.4375e0
    WHEN `post code` COLLATE BINARY = '1120' THEN 7.5e0
    WHEN `post code` COLLATE BINARY = '1121' THEN 7.5625e0
    WHEN `post code` COLLATE BINARY = '1122' THEN 7.625e0
    WHEN `post code` COLLATE BINARY = '1123' THEN 7.6875e0
    WHEN `post code` COLLATE BINARY = '1124' THEN 7.75e0
    WHEN `post code` COLLATE BINARY = '1125' THEN 7.8125e0
    WHEN `post code` COLLATE BINARY = '1126' THEN 7.875e0
    WHEN `post code` COLLATE BINARY = '1127' THEN 7.9375e0
    WHEN `post code` COLLATE BINARY = '1128' THEN 8e0
    WHEN `post code` COLLATE BINARY = '1129' THEN 8.0625e0
    WHEN `post code` COLLATE BINARY = '1130' THEN 8.125e0
    WHEN `post code` COLLATE BINARY = '1131' THEN 8.1875e0
    WHEN `post code` COLLATE BINARY = '1132' THEN 8.25e0
    WHEN `post code` COLLATE BINARY = '1133' THEN 8.3125e0
    WHEN `post code` COLLATE BINARY = '1134' THEN 8.375e0
    WHEN `post code` COLLATE BINARY = '1135' THEN 8.4375e0
    WHEN `post code` COLLATE BINARY = '1136' THEN 8.5e0
    WHEN `post code` COLLATE BINARY = '1137' THEN 8.5625e0
    WHEN `post code` COLLATE BINARY = '1138' THEN 8.625e0
    WHEN `post code` COLLATE BINARY = '1139' THEN 8.6875e0
    WHEN `post code` COLLATE BINARY = '1140' THEN 8.75e0
    WHEN `post code` COLLATE BINARY = '1141' THEN 8.8125e0
    WHEN `post code` COLLATE BINARY = '1142' THEN 8.875e0
    WHEN `post code` COLLATE BINARY = '1143' THEN 8.9375e0
    WHEN `post code` COLLATE BINARY = '1144' THEN 9e0
    WHEN `post code` COLLATE BINARY = '1145' THEN 9.0625e0
    WHEN `post code` COLLATE BINARY = '1146' THEN 9.125e0
    WHEN `post code` COLLATE BINARY = '1147' THEN 9.1875e0
    WHEN `post code` COLLATE BINARY = '1148' THEN 9.25e0
    WHEN `post code` COLLATE BINARY = '1149' THEN 9.3125e0
    WHEN `post code` COLLATE BINARY = '1150' THEN 9.375e0
    WHEN `post code` COLLATE BINARY = '1151' THEN 9.4375e0
    WHEN `post code` COLLATE BINARY = '1152' THEN 9.5e0
    WHEN `post code` COLLATE BINARY = '1153' THEN 9.5625e0
    WHEN `post code` COLLATE BINARY = '1154' THEN 9.625e0
    WHEN `post code` COLLATE BINARY = '1155' THEN 9.6875e0
    WHEN `post code` COLLATE BINARY = '1156' THEN 9.75e0
    WHEN `post code` COLLATE BINARY = '1157' THEN 9.8125e0
    WHEN `post code` COLLATE BINARY = '1158' THEN 9.875e0
    WHEN `post code` COLLATE BINARY = '1159' THEN 9.9375e0
    WHEN `post code` COLLATE BINARY = '1160' THEN 10e0
    WHEN `post code` COLLATE BINARY = '1161' THEN 10.0625e0
    WHEN `post code` COLLATE BINARY = '1162' THEN 10.125e0
    WHEN `post code` COLLATE BINARY = '1163' THEN 10.1875e0
    WHEN `post code` COLLATE BINARY = '1164' THEN 10.25e0
    WHEN `post code` COLLATE BINARY = '1165' THEN 10.3125e0
    WHEN `post code` COLLATE BINARY = '1166' THEN 10.375e0
    WHEN `post code` COLLATE BINARY = '1167' THEN 10.4375e0
    WHEN `post code` COLLATE BINARY = '1168' THEN 10.5e0
    WHEN `post code` COLLATE BINARY = '1169' THEN 10.5625e0
    WHEN `post code` COLLATE BINARY = '1170' THEN 10.625e0
    WHEN `post code` COLLATE BINARY = '1171' THEN 10.6875e0
    WHEN `post code` COLLATE BINARY = '1172' THEN 10.75e0
    WHEN `post code` COLLATE BINARY = '1173' THEN 10.8125e0
    WHEN `post code` COLLATE BINARY = '1174' THEN 10.875e0
    WHEN `post code` COLLATE BINARY = '1175' THEN 10.9375e0
    WHEN `post code` COLLATE BINARY = '1176' THEN 11e0
    WHEN `post code` COLLATE BINARY = '1177' THEN 11.0625e0
    WHEN `post code` COLLATE BINARY = '1178' THEN 11.125e0
    WHEN `post code` COLLATE BINARY = '1179' THEN 11.1875e0
    WHEN `post code` COLLATE BINARY = '1180' THEN 11.25e0
    WHEN `post code` COLLATE BINARY = '1181' THEN 11.3125e0
    WHEN `post code` COLLATE BINARY = '1182' THEN 11.375e0
    WHEN `post code` COLLATE BINARY = '1183' THEN 11.4375e0
    WHEN `post code` COLLATE BINARY = '1184' THEN 11.5e0
    WHEN `post code` COLLATE BINARY = '1185' THEN 11.5625e0
    WHEN `post code` COLLATE BINARY = '1186' THEN 11.625e0
    WHEN `post code` COLLATE BINARY = '1187' THEN 11.6875e0
    WHEN `post code` COLLATE BINARY = '1188' THEN 11.75e0
    WHEN `post code` COLLATE BINARY = '1189' THEN 11.8125e0
    WHEN `post code` COLLATE BINARY = '1190' THEN 11.875e0
    WHEN `post code` COLLATE BINARY = '1191' THEN 11.9375e0
    WHEN `post code` COLLATE BINARY = '1192' THEN 12e0
    WHEN `post code` COLLATE BINARY = '1193' THEN 12.0625e0
    WHEN `post code` COLLATE BINARY = '1194' THEN 12.125e0
    WHEN `post code` COLLATE BINARY = '1195' THEN 12.1875e0
    WHEN `post code` COLLATE BINARY = '1196' THEN 12.25e0
    WHEN `post code` COLLATE BINARY = '1197' THEN 12.3125e0
    WHEN `post code` COLLATE BINARY = '1198' THEN 12.375e0
    WHEN `post code` COLLATE BINARY = '1199' THEN 12.4375e0
    ELSE 0e0
  END
)
