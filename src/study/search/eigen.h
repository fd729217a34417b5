/* eigen.h — the axes of a covariance matrix, computed by GSL. Equal versions of GSL give equal bits. */
#pragma once

#include <gsl/gsl_eigen.h>
#include <stdbool.h>

enum { EIGEN_MAX = 64 };

/* Finds the eigenvalues and eigenvectors of a symmetric matrix, the first n rows and columns of C. Eigenvalues are
 * in descending order; eigenvectors are the columns of B. False: GSL has failed. */
static inline bool eigen(const double C[EIGEN_MAX][EIGEN_MAX], int n, double value[EIGEN_MAX],
                         double B[EIGEN_MAX][EIGEN_MAX])
{
    double matrix[EIGEN_MAX * EIGEN_MAX], vectors[EIGEN_MAX * EIGEN_MAX];
    const size_t rows = (size_t)n;
    gsl_eigen_symmv_workspace *work = gsl_eigen_symmv_alloc(rows);
    gsl_matrix_view A = gsl_matrix_view_array(matrix, rows, rows),
                    V = gsl_matrix_view_array(vectors, rows, rows);
    gsl_vector_view D = gsl_vector_view_array(value, rows);
    for (size_t i = 0; i < rows; i++)
        for (size_t k = 0; k < rows; k++) gsl_matrix_set(&A.matrix, i, k, C[i][k]);
    const bool found = work && !gsl_eigen_symmv(&A.matrix, &D.vector, &V.matrix, work);
    if (found) gsl_eigen_symmv_sort(&D.vector, &V.matrix, GSL_EIGEN_SORT_VAL_DESC);
    for (size_t i = 0; i < rows && found; i++)
        for (size_t k = 0; k < rows; k++) B[i][k] = gsl_matrix_get(&V.matrix, i, k);
    if (work) gsl_eigen_symmv_free(work);
    return found;
}
