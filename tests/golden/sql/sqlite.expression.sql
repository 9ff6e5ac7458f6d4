-- recidivism: the raw score in SQLite, 11 terms
-- the prediction is 1 / (1 + exp(-score)), of the raw score
(
    -- intercept
    -1.25
    -- age: log, (18, 3.13), (21, 0.5914), (46, -0.7206); missing 1.5; note: approved
    + CASE
        WHEN +age <= 18 THEN 3.13
        WHEN +age < 21 THEN 3.13 - 16.468302331489937 * (LN(age) - 2.8903717578961645)
        WHEN +age < 46 THEN 0.5914 - 1.6732155055468838 * (LN(age) - 3.044522437723423)
        WHEN CAST(age AS REAL) >= 46 THEN -0.7206
        WHEN age IS NULL THEN 1.5
        -- text, which is not a number before it is cast
        WHEN CAST(age AS REAL) <= 18 THEN 3.13
        WHEN CAST(age AS REAL) < 21 THEN 3.13 - 16.468302331489937 * (LN(CAST(age AS REAL)) - 2.8903717578961645)
        WHEN CAST(age AS REAL) < 46 THEN 0.5914 - 1.6732155055468838 * (LN(CAST(age AS REAL)) - 3.044522437723423)
        WHEN CAST(age AS REAL) >= 46 THEN -0.7206
        ELSE 1.5
    END
    -- priors count: -0.4, then from (1, 0.1), (2.5, 0.75), (10, 1.9)
    + CASE
        WHEN +`priors count` < 1 THEN -0.4
        WHEN +`priors count` < 2.5 THEN 0.1
        WHEN +`priors count` < 10 THEN 0.75
        WHEN CAST(`priors count` AS REAL) >= 10 THEN 1.9
        WHEN `priors count` IS NULL THEN NULL
        -- text, which is not a number before it is cast
        WHEN CAST(`priors count` AS REAL) < 1 THEN -0.4
        WHEN CAST(`priors count` AS REAL) < 2.5 THEN 0.1
        WHEN CAST(`priors count` AS REAL) < 10 THEN 0.75
        WHEN CAST(`priors count` AS REAL) >= 10 THEN 1.9
    END
    -- charge: "F": 0.0198, "M'": -0.0384, "Ünï\n": 0.5; unseen 0.25
    + CASE
        WHEN charge COLLATE BINARY IS NULL THEN NULL
        WHEN charge COLLATE BINARY = 'F' THEN 0.019800000000000002
        WHEN charge COLLATE BINARY = 'M''' THEN -0.038399999999999997
        WHEN charge COLLATE BINARY = ('Ünï' || CHAR(10)) THEN 0.5
        ELSE 0.25
    END
    -- kind: 1: 0.5, 2: -0.5; unseen 0.1; missing 0.2
    + CASE
        WHEN kind = 1 THEN 0.5
        WHEN kind = 2 THEN -0.5
        WHEN kind IS NOT NULL THEN 0.1
        ELSE 0.2
    END
    -- felony: True: 0.3, False: -0.3
    + CASE
        WHEN felony = 1 THEN 0.3
        WHEN felony = 0 THEN -0.3
    END
    -- balance: symlog1p, (-1000, 1), (0, 0), (1000, -2)
    + CASE
        WHEN +balance <= -1000 THEN 1.0
        WHEN +balance < 0
            THEN 1.0 - 0.1447438839476537 * (
                -(
                    CASE
                        WHEN 1.0 + (-balance) = 1.0 THEN (-balance)
                        ELSE LN(1.0 + (-balance)) * ((-balance) / ((1.0 + (-balance)) - 1.0))
                    END
                ) + 6.9087547793152204
            )
        WHEN +balance < 1000
            THEN 0.0 - 0.2894877678953074 * (
                CASE
                    WHEN 1.0 + balance = 1.0 THEN balance
                    ELSE LN(1.0 + balance) * (balance / ((1.0 + balance) - 1.0))
                END
            )
        WHEN CAST(balance AS REAL) >= 1000 THEN -2.0
        WHEN balance IS NULL THEN NULL
        -- text, which is not a number before it is cast
        WHEN CAST(balance AS REAL) <= -1000 THEN 1.0
        WHEN CAST(balance AS REAL) < 0
            THEN 1.0 - 0.1447438839476537 * (
                -(
                    CASE
                        WHEN 1.0 + (-CAST(balance AS REAL)) = 1.0 THEN (-CAST(balance AS REAL))
                        ELSE LN(1.0 + (-CAST(balance AS REAL))) * ((-CAST(balance AS REAL)) / ((1.0 + (-CAST(balance AS REAL))) - 1.0))
                    END
                ) + 6.9087547793152204
            )
        WHEN CAST(balance AS REAL) < 1000
            THEN 0.0 - 0.2894877678953074 * (
                CASE
                    WHEN 1.0 + CAST(balance AS REAL) = 1.0 THEN CAST(balance AS REAL)
                    ELSE LN(1.0 + CAST(balance AS REAL)) * (CAST(balance AS REAL) / ((1.0 + CAST(balance AS REAL)) - 1.0))
                END
            )
        WHEN CAST(balance AS REAL) >= 1000 THEN -2.0
    END
    -- balance: log1p, (-0.5, 0), (1e-07, 0.1), (7, -2)
    + CASE
        WHEN +balance <= -0.5 THEN 0.0
        WHEN +balance < 1e-07
            THEN 0.0 + 0.14426948327521058 * (
                CASE
                    WHEN 1.0 + balance = 1.0 THEN balance
                    ELSE LN(1.0 + balance) * (balance / ((1.0 + balance) - 1.0))
                END + 0.6931471805599453
            )
        WHEN +balance < 7 THEN 0.1 - 1.0098865771875507 * (LN(1.0 + balance) * (balance / ((1.0 + balance) - 1.0)) - 9.999999500000033e-08)
        WHEN CAST(balance AS REAL) >= 7 THEN -2.0
        WHEN balance IS NULL THEN NULL
        -- text, which is not a number before it is cast
        WHEN CAST(balance AS REAL) <= -0.5 THEN 0.0
        WHEN CAST(balance AS REAL) < 1e-07
            THEN 0.0 + 0.14426948327521058 * (
                CASE
                    WHEN 1.0 + CAST(balance AS REAL) = 1.0 THEN CAST(balance AS REAL)
                    ELSE LN(1.0 + CAST(balance AS REAL)) * (CAST(balance AS REAL) / ((1.0 + CAST(balance AS REAL)) - 1.0))
                END + 0.6931471805599453
            )
        WHEN CAST(balance AS REAL) < 7 THEN 0.1 - 1.0098865771875507 * (LN(1.0 + CAST(balance AS REAL)) * (CAST(balance AS REAL) / ((1.0 + CAST(balance AS REAL)) - 1.0)) - 9.999999500000033e-08)
        WHEN CAST(balance AS REAL) >= 7 THEN -2.0
    END
    -- product of 2
    + (
        -- sum of 2
        (
            -- age: log, (18, 3.13), (21, 0.5914), (46, -0.7206); missing 1.5; note: approved
            CASE
                WHEN +age <= 18 THEN 3.13
                WHEN +age < 21 THEN 3.13 - 16.468302331489937 * (LN(age) - 2.8903717578961645)
                WHEN +age < 46 THEN 0.5914 - 1.6732155055468838 * (LN(age) - 3.044522437723423)
                WHEN CAST(age AS REAL) >= 46 THEN -0.7206
                WHEN age IS NULL THEN 1.5
                -- text, which is not a number before it is cast
                WHEN CAST(age AS REAL) <= 18 THEN 3.13
                WHEN CAST(age AS REAL) < 21 THEN 3.13 - 16.468302331489937 * (LN(CAST(age AS REAL)) - 2.8903717578961645)
                WHEN CAST(age AS REAL) < 46 THEN 0.5914 - 1.6732155055468838 * (LN(CAST(age AS REAL)) - 3.044522437723423)
                WHEN CAST(age AS REAL) >= 46 THEN -0.7206
                ELSE 1.5
            END
            -- charge: "F": 0.0198, "M'": -0.0384, "Ünï\n": 0.5; unseen 0.25
            + CASE
                WHEN charge COLLATE BINARY IS NULL THEN NULL
                WHEN charge COLLATE BINARY = 'F' THEN 0.019800000000000002
                WHEN charge COLLATE BINARY = 'M''' THEN -0.038399999999999997
                WHEN charge COLLATE BINARY = ('Ünï' || CHAR(10)) THEN 0.5
                ELSE 0.25
            END
        )
        -- balance: the value itself
        * CAST(balance AS REAL)
    )
    -- a sum of 2: (0, 0.1), (1, 0.3)
    + CASE
        WHEN (
        CASE
            WHEN +`priors count` < 1 THEN -0.4
            WHEN +`priors count` < 2.5 THEN 0.1
            WHEN +`priors count` < 10 THEN 0.75
            WHEN CAST(`priors count` AS REAL) >= 10 THEN 1.9
            WHEN `priors count` IS NULL THEN NULL
            -- text, which is not a number before it is cast
            WHEN CAST(`priors count` AS REAL) < 1 THEN -0.4
            WHEN CAST(`priors count` AS REAL) < 2.5 THEN 0.1
            WHEN CAST(`priors count` AS REAL) < 10 THEN 0.75
            WHEN CAST(`priors count` AS REAL) >= 10 THEN 1.9
        END
        + CAST(balance AS REAL)
    ) <= 0 THEN 0.1
        WHEN (
        CASE
            WHEN +`priors count` < 1 THEN -0.4
            WHEN +`priors count` < 2.5 THEN 0.1
            WHEN +`priors count` < 10 THEN 0.75
            WHEN CAST(`priors count` AS REAL) >= 10 THEN 1.9
            WHEN `priors count` IS NULL THEN NULL
            -- text, which is not a number before it is cast
            WHEN CAST(`priors count` AS REAL) < 1 THEN -0.4
            WHEN CAST(`priors count` AS REAL) < 2.5 THEN 0.1
            WHEN CAST(`priors count` AS REAL) < 10 THEN 0.75
            WHEN CAST(`priors count` AS REAL) >= 10 THEN 1.9
        END
        + CAST(balance AS REAL)
    ) < 1
            THEN 0.1 + 0.19999999999999998 * (
                CASE
                    WHEN +`priors count` < 1 THEN -0.4
                    WHEN +`priors count` < 2.5 THEN 0.1
                    WHEN +`priors count` < 10 THEN 0.75
                    WHEN CAST(`priors count` AS REAL) >= 10 THEN 1.9
                    WHEN `priors count` IS NULL THEN NULL
                    -- text, which is not a number before it is cast
                    WHEN CAST(`priors count` AS REAL) < 1 THEN -0.4
                    WHEN CAST(`priors count` AS REAL) < 2.5 THEN 0.1
                    WHEN CAST(`priors count` AS REAL) < 10 THEN 0.75
                    WHEN CAST(`priors count` AS REAL) >= 10 THEN 1.9
                END
                + CAST(balance AS REAL)
            )
        WHEN (
        CASE
            WHEN +`priors count` < 1 THEN -0.4
            WHEN +`priors count` < 2.5 THEN 0.1
            WHEN +`priors count` < 10 THEN 0.75
            WHEN CAST(`priors count` AS REAL) >= 10 THEN 1.9
            WHEN `priors count` IS NULL THEN NULL
            -- text, which is not a number before it is cast
            WHEN CAST(`priors count` AS REAL) < 1 THEN -0.4
            WHEN CAST(`priors count` AS REAL) < 2.5 THEN 0.1
            WHEN CAST(`priors count` AS REAL) < 10 THEN 0.75
            WHEN CAST(`priors count` AS REAL) >= 10 THEN 1.9
        END
        + CAST(balance AS REAL)
    ) >= 1 THEN 0.3
    END
    -- score 2: 0, then from (0, 0.1), (0.125, 0.2), (0.25, 0.3), (0.375, 0.4), (0.5, 0.5), (0.625, 0.6), (0.75, 0), (0.875, 0.1)
    + CASE
        WHEN +`score 2` < 0.5
            THEN CASE
                WHEN +`score 2` < 0.25
                    THEN CASE
                        WHEN +`score 2` < 0.125
                            THEN CASE
                                WHEN +`score 2` < 0 THEN 0.0
                                ELSE 0.1
                            END
                        ELSE 0.2
                    END
                WHEN +`score 2` < 0.375 THEN 0.3
                ELSE 0.4
            END
        WHEN +`score 2` < 0.75
            THEN CASE
                WHEN +`score 2` < 0.625 THEN 0.5
                ELSE 0.6
            END
        WHEN +`score 2` < 0.875 THEN 0.0
        WHEN CAST(`score 2` AS REAL) >= 0.875 THEN 0.1
        WHEN `score 2` IS NULL THEN NULL
        -- text, which is not a number before it is cast
        WHEN CAST(`score 2` AS REAL) < 0.5
            THEN CASE
                WHEN CAST(`score 2` AS REAL) < 0.25
                    THEN CASE
                        WHEN CAST(`score 2` AS REAL) < 0.125
                            THEN CASE
                                WHEN CAST(`score 2` AS REAL) < 0 THEN 0.0
                                ELSE 0.1
                            END
                        ELSE 0.2
                    END
                WHEN CAST(`score 2` AS REAL) < 0.375 THEN 0.3
                ELSE 0.4
            END
        WHEN CAST(`score 2` AS REAL) < 0.75
            THEN CASE
                WHEN CAST(`score 2` AS REAL) < 0.625 THEN 0.5
                ELSE 0.6
            END
        WHEN CAST(`score 2` AS REAL) < 0.875 THEN 0.0
        WHEN CAST(`score 2` AS REAL) >= 0.875 THEN 0.1
    END
    -- post code: "1000": 0, "1001": 0.0625, "1002": 0.125; unseen 0; missing -1
    + CASE
        WHEN `post code` COLLATE BINARY IS NULL THEN -1.0
        WHEN `post code` COLLATE BINARY = '1000' THEN 0.0
        WHEN `post code` COLLATE BINARY = '1001' THEN 0.0625
        WHEN `post code` COLLATE BINARY = '1002' THEN 0.125
        ELSE 0.0
    END
)
