# Smoothness of flights as Micklisch, Hilliard and ElAarag (2021, chapter 9) measure it: the residual
# standard error of LOESS with a span of 1 and a degree of 2.
#
#     Rscript smoothness.R TABLE...
#
# A table has a head, time in its first column and a variable in each other one. Prints a line for each
# table and variable: the table's number, the variable, the standard error of the variable over time, in
# its own unit, and that of time over the variable, in seconds. NaN where the variable stands still.
options(warn = -1)

standard_error <- function(y, x) {
        tryCatch(loess(y ~ x, span = 1, degree = 2)$s, error = function(e) NaN)
}

for (i in seq_along(commandArgs(trailingOnly = TRUE))) {
        flight <- read.delim(commandArgs(trailingOnly = TRUE)[i])
        time <- flight[[1]]
        for (name in names(flight)[-1]) {
                value <- flight[[name]]
                cat(i, name, standard_error(value, time), standard_error(time, value), sep = "\t")
                cat("\n")
        }
}
