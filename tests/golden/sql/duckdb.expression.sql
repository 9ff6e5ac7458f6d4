-- recidivism: the raw score in DuckDB, 11 terms
-- the prediction is 1 / (1 + exp(-score)), of the raw score
-- 0.5e0 is a double, 0.5 a decimal. NaN is above all numbers, so x >= 2 is written -x <= -2, which is false for NaN
(
    -- intercept
    -1.25e0
    -- age: log, (18, 3.13), (21, 0.5914), (46, -0.7206); missing 1.5; note: approved
    + CASE
        WHEN CAST(age AS DOUBLE) <= 18 THEN 3.13e0
        WHEN CAST(age AS DOUBLE) < 21 THEN 3.13 - 16.468302331489937e0 * (LN(CASE WHEN CAST(age AS DOUBLE) > 18 THEN CAST(age AS DOUBLE) ELSE 18e0 END) - 2.8903717578961645e0)
        WHEN CAST(age AS DOUBLE) < 46 THEN 0.5914 - 1.6732155055468838e0 * (LN(CASE WHEN CAST(age AS DOUBLE) > 18 THEN CAST(age AS DOUBLE) ELSE 18e0 END) - 3.044522437723423e0)
        WHEN -CAST(age AS DOUBLE) <= -46 THEN -0.7206e0
        ELSE 1.5e0
    END
    -- priors count: -0.4, then from (1, 0.1), (2.5, 0.75), (10, 1.9)
    + CASE
        WHEN CAST("priors count" AS DOUBLE) < 1 THEN -0.4e0
        WHEN CAST("priors count" AS DOUBLE) < 2.5 THEN 0.1e0
        WHEN CAST("priors count" AS DOUBLE) < 10 THEN 0.75e0
        WHEN -CAST("priors count" AS DOUBLE) <= -10 THEN 1.9e0
    END
    -- charge: "F": 0.0198, "M'": -0.0384, "Ünï\n": 0.5; unseen 0.25
    + CASE
        WHEN CAST(charge AS VARCHAR) COLLATE posix IS NULL THEN NULL
        WHEN CAST(charge AS VARCHAR) COLLATE posix = 'F' THEN 0.0198e0
        WHEN CAST(charge AS VARCHAR) COLLATE posix = 'M''' THEN -0.0384e0
        WHEN CAST(charge AS VARCHAR) COLLATE posix = ('Ünï' || CHR(10)) THEN 0.5e0
        ELSE 0.25e0
    END
    -- kind: 1: 0.5, 2: -0.5; unseen 0.1; missing 0.2
    + CASE
        WHEN kind = 1 THEN 0.5e0
        WHEN kind = 2 THEN -0.5e0
        WHEN CAST(kind AS DOUBLE) <= 0 OR -CAST(kind AS DOUBLE) <= 0 THEN 0.1e0
        ELSE 0.2e0
    END
    -- felony: True: 0.3, False: -0.3
    + CASE
        WHEN CAST(felony AS DOUBLE) = 1 THEN 0.3e0
        WHEN CAST(felony AS DOUBLE) = 0 THEN -0.3e0
    END
    -- balance: symlog1p, (-1000, 1), (0, 0), (1000, -2)
    + CASE
        WHEN CAST(balance AS DOUBLE) <= -1000 THEN 1e0
        WHEN CAST(balance AS DOUBLE) < 0
            THEN 1 - 0.1447438839476537e0 * (
                -(
                    CASE
                        WHEN 1 + (-CAST(balance AS DOUBLE)) = 1 THEN (-CAST(balance AS DOUBLE))
                        ELSE LN(1 + CASE WHEN (-CAST(balance AS DOUBLE)) > 0 THEN (-CAST(balance AS DOUBLE)) ELSE 0e0 END) * ((-CAST(balance AS DOUBLE)) / ((1 + (-CAST(balance AS DOUBLE))) - 1))
                    END
                ) + 6.90875477931522
            )
        WHEN CAST(balance AS DOUBLE) < 1000
            THEN 0 - 0.2894877678953074e0 * (
                CASE
                    WHEN 1 + CAST(balance AS DOUBLE) = 1 THEN CAST(balance AS DOUBLE)
                    ELSE LN(1 + CASE WHEN CAST(balance AS DOUBLE) > 0 THEN CAST(balance AS DOUBLE) ELSE 0e0 END) * (CAST(balance AS DOUBLE) / ((1 + CAST(balance AS DOUBLE)) - 1))
                END
            )
        WHEN -CAST(balance AS DOUBLE) <= -1000 THEN -2e0
    END
    -- balance: log1p, (-0.5, 0), (1e-07, 0.1), (7, -2)
    + CASE
        WHEN CAST(balance AS DOUBLE) <= -0.5 THEN 0e0
        WHEN CAST(balance AS DOUBLE) < 1e-07
            THEN 0 + 0.14426948327521058e0 * (
                CASE
                    WHEN 1 + CAST(balance AS DOUBLE) = 1 THEN CAST(balance AS DOUBLE)
                    ELSE LN(1 + CASE WHEN CAST(balance AS DOUBLE) > -0.5 THEN CAST(balance AS DOUBLE) ELSE -0.5e0 END) * (CAST(balance AS DOUBLE) / ((1 + CAST(balance AS DOUBLE)) - 1))
                END + 0.6931471805599453e0
            )
        WHEN CAST(balance AS DOUBLE) < 7 THEN 0.1 - 1.0098865771875507e0 * (LN(1 + CASE WHEN CAST(balance AS DOUBLE) > -0.5 THEN CAST(balance AS DOUBLE) ELSE -0.5e0 END) * (CAST(balance AS DOUBLE) / ((1 + CAST(balance AS DOUBLE)) - 1)) - 9.999999500000033e-08)
        WHEN -CAST(balance AS DOUBLE) <= -7 THEN -2e0
    END
    -- product of 2
    + (
        -- sum of 2
        (
            -- age: log, (18, 3.13), (21, 0.5914), (46, -0.7206); missing 1.5; note: approved
            CASE
                WHEN CAST(age AS DOUBLE) <= 18 THEN 3.13e0
                WHEN CAST(age AS DOUBLE) < 21 THEN 3.13 - 16.468302331489937e0 * (LN(CASE WHEN CAST(age AS DOUBLE) > 18 THEN CAST(age AS DOUBLE) ELSE 18e0 END) - 2.8903717578961645e0)
                WHEN CAST(age AS DOUBLE) < 46 THEN 0.5914 - 1.6732155055468838e0 * (LN(CASE WHEN CAST(age AS DOUBLE) > 18 THEN CAST(age AS DOUBLE) ELSE 18e0 END) - 3.044522437723423e0)
                WHEN -CAST(age AS DOUBLE) <= -46 THEN -0.7206e0
                ELSE 1.5e0
            END
            -- charge: "F": 0.0198, "M'": -0.0384, "Ünï\n": 0.5; unseen 0.25
            + CASE
                WHEN CAST(charge AS VARCHAR) COLLATE posix IS NULL THEN NULL
                WHEN CAST(charge AS VARCHAR) COLLATE posix = 'F' THEN 0.0198e0
                WHEN CAST(charge AS VARCHAR) COLLATE posix = 'M''' THEN -0.0384e0
                WHEN CAST(charge AS VARCHAR) COLLATE posix = ('Ünï' || CHR(10)) THEN 0.5e0
                ELSE 0.25e0
            END
        )
        -- balance: the value itself
        * CASE
            WHEN CAST(balance AS DOUBLE) <= 0 OR -CAST(balance AS DOUBLE) <= 0 THEN CAST(balance AS DOUBLE)
        END
    )
    -- a sum of 2: (0, 0.1), (1, 0.3)
    + CASE
        WHEN (
        CASE
            WHEN CAST("priors count" AS DOUBLE) < 1 THEN -0.4e0
            WHEN CAST("priors count" AS DOUBLE) < 2.5 THEN 0.1e0
            WHEN CAST("priors count" AS DOUBLE) < 10 THEN 0.75e0
            WHEN -CAST("priors count" AS DOUBLE) <= -10 THEN 1.9e0
        END
        + CASE
            WHEN CAST(balance AS DOUBLE) <= 0 OR -CAST(balance AS DOUBLE) <= 0 THEN CAST(balance AS DOUBLE)
        END
    ) <= 0 THEN 0.1e0
        WHEN (
        CASE
            WHEN CAST("priors count" AS DOUBLE) < 1 THEN -0.4e0
            WHEN CAST("priors count" AS DOUBLE) < 2.5 THEN 0.1e0
            WHEN CAST("priors count" AS DOUBLE) < 10 THEN 0.75e0
            WHEN -CAST("priors count" AS DOUBLE) <= -10 THEN 1.9e0
        END
        + CASE
            WHEN CAST(balance AS DOUBLE) <= 0 OR -CAST(balance AS DOUBLE) <= 0 THEN CAST(balance AS DOUBLE)
        END
    ) < 1
            THEN 0.1 + 0.19999999999999998e0 * (
                CASE
                    WHEN CAST("priors count" AS DOUBLE) < 1 THEN -0.4e0
                    WHEN CAST("priors count" AS DOUBLE) < 2.5 THEN 0.1e0
                    WHEN CAST("priors count" AS DOUBLE) < 10 THEN 0.75e0
                    WHEN -CAST("priors count" AS DOUBLE) <= -10 THEN 1.9e0
                END
                + CASE
                    WHEN CAST(balance AS DOUBLE) <= 0 OR -CAST(balance AS DOUBLE) <= 0 THEN CAST(balance AS DOUBLE)
                END
            )
        WHEN -(
        CASE
            WHEN CAST("priors count" AS DOUBLE) < 1 THEN -0.4e0
            WHEN CAST("priors count" AS DOUBLE) < 2.5 THEN 0.1e0
            WHEN CAST("priors count" AS DOUBLE) < 10 THEN 0.75e0
            WHEN -CAST("priors count" AS DOUBLE) <= -10 THEN 1.9e0
        END
        + CASE
            WHEN CAST(balance AS DOUBLE) <= 0 OR -CAST(balance AS DOUBLE) <= 0 THEN CAST(balance AS DOUBLE)
        END
    ) <= -1 THEN 0.3e0
    END
    -- score 2: 0, then from (0, 0.1), (0.125, 0.2), (0.25, 0.3), (0.375, 0.4), (0.5, 0.5), (0.625, 0.6), (0.75, 0), (0.875, 0.1)
    + CASE
        WHEN CAST("score 2" AS DOUBLE) < 0 THEN 0e0
        WHEN CAST("score 2" AS DOUBLE) < 0.125 THEN 0.1e0
        WHEN CAST("score 2" AS DOUBLE) < 0.25 THEN 0.2e0
        WHEN CAST("score 2" AS DOUBLE) < 0.375 THEN 0.3e0
        WHEN CAST("score 2" AS DOUBLE) < 0.5 THEN 0.4e0
        WHEN CAST("score 2" AS DOUBLE) < 0.625 THEN 0.5e0
        WHEN CAST("score 2" AS DOUBLE) < 0.75 THEN 0.6e0
        WHEN CAST("score 2" AS DOUBLE) < 0.875 THEN 0e0
        WHEN -CAST("score 2" AS DOUBLE) <= -0.875 THEN 0.1e0
    END
    -- post code: "1000": 0, "1001": 0.0625, "1002": 0.125; unseen 0; missing -1
    + CASE
        WHEN CAST("post code" AS VARCHAR) COLLATE posix IS NULL THEN -1e0
        WHEN CAST("post code" AS VARCHAR) COLLATE posix = '1000' THEN 0e0
        WHEN CAST("post code" AS VARCHAR) COLLATE posix = '1001' THEN 0.0625e0
        WHEN CAST("post code" AS VARCHAR) COLLATE posix = '1002' THEN 0.125e0
        ELSE 0e0
    END
)
