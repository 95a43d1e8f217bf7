"""scikit-learn's own tests of the classes that we have, run against ours. Each that fails is listed with its reason."""
import os
import re
import subprocess
import sys
import unittest

import sklearn

SPARSE = "sparse features are refused"
DTYPE = "results are float64, also of float32 data"
INSIDE = "looks at attributes of scikit-learn's implementation"
SOLVER = "about a solver that we do not use"
WEIGHTS = "k-means has no weights of samples"
WORDS = "the same is refused, or told, in other words"
PARTS = "new rows of a sparse graph are refused: the library wants all distances of a new point"
BETTER = "scikit-learn's answer is a defect that the test writes down"

# Names of test functions, and why they fail.
EXPECTED = {
    "manifold/tests/test_isomap.py": {
        "test_isomap_clone_bug": INSIDE, "test_isomap_dtype_equivalence": INSIDE,
        "test_isomap_fitted_attributes_dtype": INSIDE, "test_isomap_reconstruction_error": INSIDE,
        "test_multiple_connected_components_metric_precomputed": WORDS,
        "test_pipeline_with_nearest_neighbors_transformer": PARTS, "test_sparse_input": SPARSE,
    },
    "manifold/tests/test_locally_linear.py": {},
    "manifold/tests/test_spectral_embedding.py": {
        "test_error_pyamg_not_available": SOLVER, "test_spectral_eigen_tol_auto": SOLVER,
        "test_pipeline_spectral_clustering": "one start of k-means, which ends elsewhere",
        "test_precomputed_nearest_neighbors_filtering": "all distances are 1: who is nearest is taken from the storage",
        "test_spectral_embedding_callable_affinity": INSIDE, "test_spectral_embedding_precomputed_affinity": INSIDE,
        "test_spectral_embedding_preserves_dtype": DTYPE,
        "test_spectral_embedding_first_eigen_vector": "drop_first=False is not there",
        "test_spectral_embedding_unnormalized": "drop_first=False is not there",
    },
    "manifold/tests/test_t_sne.py": {
        "test_64bit": DTYPE, "test_accessible_kl_divergence": "reads the error from the words of verbose",
        "test_exact_no_precomputed_sparse": "we take it", "test_fit_transform_csr_matrix": SPARSE,
        "test_high_perplexity_precomputed_sparse_distances": WORDS, "test_n_components_range": "we take any number",
        "test_n_iter_used": "n_iter_ counts iterations; scikit-learn's is one less",
        "test_n_iter_without_progress": SOLVER, "test_non_positive_computed_distances": WORDS,
        "test_pca_initialization_not_compatible_with_sparse_input": SPARSE,
        "test_sparse_precomputed_distance": "all entries of a sparse graph are neighbors, not the nearest alone",
        "test_tsne_deprecation_square_distances": "a parameter that is gone in scikit-learn 1.3",
        "test_tsne_with_different_distance_metrics": "equal bits of distances that are rounded differently",
        "test_tsne_with_mahalanobis_distance": "we take it: SciPy finds V", "test_verbose": WORDS,
    },
    "decomposition/tests/test_pca.py": {
        "test_fit_mle_too_few_samples": "mle", "test_mle_redundant_data": "mle", "test_mle_simple_case": "mle",
        "test_n_components_mle": "mle", "test_n_components_mle_error": "mle", "test_pca_dim": "mle",
        "test_pca_dtype_preservation": DTYPE,
        "test_pca_n_components_mostly_explained_variance_ratio": "a fraction of 1 - 1e-16 is as good as 1 - 1e-12",
        "test_pca_score": BETTER,
    },
    "decomposition/tests/test_kernel_pca.py": {
        "test_kernel_pca_invalid_parameters": WORDS, "test_kernel_pca_sparse": SPARSE,
        "test_kernel_pca_precomputed_non_symmetric": "a kernel that is not symmetric is refused",
        "test_precomputed_kernel_not_psd": "a warning instead of an error",
    },
    "cluster/tests/test_spectral.py": {
        "test_affinities": "no warning where the parts of the graph are the clusters",
        "test_precomputed_nearest_neighbors_filtering": "all distances are 1: who is nearest is taken from the storage",
        "test_spectral_clustering": "assign_labels", "test_spectral_clustering_sparse": "assign_labels",
        "test_spectral_clustering_with_arpack_amg_solvers": SOLVER, "test_verbose": WORDS,
    },
    "cluster/tests/test_k_means.py": {
        "test_algorithm_auto_full_deprecation_warning": SOLVER, "test_warning_elkan_1_cluster": SOLVER,
        "test_all_init": SPARSE, "test_dense_sparse": WEIGHTS, "test_float_precision": DTYPE,
        "test_integer_input": SPARSE, "test_k_means_1_iteration": SPARSE, "test_kmeans_elkan_results": SPARSE,
        "test_kmeans_empty_cluster_relocated": WEIGHTS, "test_kmeans_init_fitted_centers": SPARSE,
        "test_kmeans_predict": SPARSE, "test_kmeans_relocated_clusters": "counts iterations", "test_kmeans_results": WEIGHTS,
        "test_kmeans_verbose": WORDS, "test_kmeans_warns_less_centers_than_unique_points": WORDS,
        "test_n_init_auto": INSIDE, "test_change_n_init_future_warning": "n_init is 10, without a warning",
        "test_predict_dense_sparse": SPARSE, "test_predict_does_not_change_cluster_centers": SPARSE,
        "test_sample_weight_unchanged": WEIGHTS, "test_scaled_weights": WEIGHTS,
        "test_unit_weights_vs_no_weights": WEIGHTS, "test_weighted_vs_repeated": WEIGHTS,
        "test_warning_n_init_precomputed_centers": WORDS,
    },
    "neighbors/tests/test_neighbors_pipeline.py": {
        "test_isomap": PARTS, "test_tsne": "metric='sqeuclidean' is no metric",
    },
    "neighbors/tests/test_graph.py": {},
}


@unittest.skipUnless(sklearn.__version__.startswith("1.2."), "the list is of scikit-learn 1.2")
class Theirs(unittest.TestCase):
    def test_their_tests(self):
        folder = os.path.dirname(sklearn.__file__)
        here = os.path.dirname(os.path.abspath(__file__))
        environment = {**os.environ, "PYTHONPATH": f"{os.environ['PYTHONPATH']}:{here}"}
        for file, expected in EXPECTED.items():
            with self.subTest(file):
                said = subprocess.run([sys.executable, "-m", "pytest", "-p", "scikit_learn_patch", "-p", "no:cacheprovider",
                                       "-q", "--tb=no", "-rf", "-W", "ignore", os.path.join(folder, file)],
                                      capture_output=True, text=True, env=environment).stdout
                failed = set(re.findall(r"(?m)^FAILED \S+?::(\w+)", said))
                passed = re.search(r"(\d+) passed", said.splitlines()[-1])
                print(f"{file}: {said.splitlines()[-1]}")
                self.assertIsNotNone(passed, said[-2000:])
                self.assertEqual(failed - set(expected), set(), "these fail and are not listed")
                self.assertEqual(set(expected) - failed, set(), "these are listed and pass")


if __name__ == "__main__":
    unittest.main()
