"""scikit-learn's own tests of the classes that we have, run against ours. Each that fails is listed with its reason."""
import os
import re
import subprocess
import sys
import unittest

import sklearn

SPARSE = "sparse features are refused"
SOLVER = "asks for, or patches, a solver that we do not use"
WORDS = "the same is told in other words"
WARNING = "no warning: nothing is wrong"
ITERATION = "n_iter_ is one less: that labels have settled is seen without another iteration"
SEARCH = "new rows of a sparse graph are refused: the library wants all distances of a new point"
BETTER = "scikit-learn's answer is a defect that the test writes down"
EQUAL = "all distances are 1: who is nearest is taken from the storage, which the test's two graphs order differently"
SYMMETRIC = "a kernel that is not symmetric is refused"

# Names of test functions, and why they fail.
EXPECTED = {
    "manifold/tests/test_isomap.py": {
        "test_pipeline_with_nearest_neighbors_transformer": SEARCH,
    },
    "manifold/tests/test_locally_linear.py": {},
    "manifold/tests/test_spectral_embedding.py": {
        "test_error_pyamg_not_available": SOLVER, "test_spectral_eigen_tol_auto": SOLVER,
        "test_pipeline_spectral_clustering": "one start of k-means, which ends elsewhere",
        "test_precomputed_nearest_neighbors_filtering": EQUAL,
        "test_spectral_embedding_callable_affinity": SPARSE,
    },
    "manifold/tests/test_t_sne.py": {
        "test_64bit": "float64 of float64 data; scikit-learn's is float32",
        "test_accessible_kl_divergence": "reads the error from the words of verbose",
        "test_exact_no_precomputed_sparse": "a sparse graph is taken; of these two points the number is refused",
        "test_high_perplexity_precomputed_sparse_distances": "the distance of a point from itself is not 0: refused for that",
        "test_n_components_range": "any number of components is taken; of these two points the number is refused",
        "test_n_iter_without_progress": "it goes on to n_iter", "test_verbose": WORDS,
        "test_non_positive_computed_distances": "of these two points the number is refused, before distances are looked at",
        "test_pca_initialization_not_compatible_with_sparse_input": SPARSE,
        "test_sparse_precomputed_distance": "all entries of a sparse graph are neighbors, not the nearest alone",
        "test_tsne_deprecation_square_distances": "a parameter that is gone in scikit-learn 1.3",
        "test_tsne_with_different_distance_metrics": "equal bits of distances that are rounded differently",
        "test_tsne_with_mahalanobis_distance": "we take it: SciPy finds V",
    },
    "manifold/tests/test_mds.py": {
        "test_normalize_metric_warning": "we take it", "test_normalized_stress_auto": "patches scikit-learn's own functions",
        "test_normalized_stress_default_change": "the default is 'auto', without a warning",
    },
    "decomposition/tests/test_pca.py": {
        "test_pca_sparse_input": "sparse features are taken, which this version of scikit-learn refuses",
        "test_pca_n_components_mostly_explained_variance_ratio": "a fraction of 1 - 1e-16 is as good as 1 - 1e-12",
        "test_pca_score": BETTER + ": whitening changes the likelihood",
    },
    "decomposition/tests/test_kernel_pca.py": {
        "test_kernel_pca_invalid_parameters": SYMMETRIC,
        "test_kernel_pca_precomputed_non_symmetric": SYMMETRIC,
        "test_precomputed_kernel_not_psd": "a warning instead of an error",
    },
    "cluster/tests/test_spectral.py": {
        "test_affinities": WARNING + ": the parts of the graph are the clusters",
        "test_precomputed_nearest_neighbors_filtering": EQUAL,
        "test_spectral_clustering_with_arpack_amg_solvers": SOLVER, "test_verbose": WORDS,
    },
    "cluster/tests/test_k_means.py": {
        "test_algorithm_auto_full_deprecation_warning": SOLVER, "test_warning_elkan_1_cluster": SOLVER,
        "test_kmeans_relocated_clusters": ITERATION, "test_kmeans_results": ITERATION, "test_kmeans_verbose": WORDS,
        "test_kmeans_warns_less_centers_than_unique_points": WORDS,
        "test_n_init_auto": "reads a private attribute of scikit-learn's",
        "test_change_n_init_future_warning": "n_init is 10, without a warning",
        "test_warning_n_init_precomputed_centers": WARNING + ": one start has one result",
    },
    "semi_supervised/tests/test_label_propagation.py": {
        "test_predict_proba": "kernel='knn': a new point is joined to its nearest and to those that have it among theirs",
        "test_convergence_warning": WARNING + ": one unknown is solved for by one iteration",
        "test_label_spreading_closed_form": "asks for a private method; our own tests have the closed form",
        "test_label_propagation_closed_form": "asks for a private method; our own tests have the closed form",
    },
    "neighbors/tests/test_neighbors_pipeline.py": {"test_isomap": SEARCH},
    "neighbors/tests/test_graph.py": {},
}


@unittest.skipUnless(sklearn.__version__.startswith("1.2."), "the list is of scikit-learn 1.2")
class Theirs(unittest.TestCase):
    def test_their_tests(self):
        folder = os.path.dirname(sklearn.__file__)
        here = os.path.dirname(os.path.abspath(__file__))
        environment = {**os.environ, "PYTHONPATH": f"{os.environ['PYTHONPATH']}:{here}"}
        said = subprocess.run([sys.executable, "-m", "pytest", "-p", "scikit_learn_patch", "-p", "no:cacheprovider", "-q",
                               "--tb=no", "-rfp", "-W", "ignore", *(os.path.join(folder, file) for file in EXPECTED)],
                              capture_output=True, text=True, env=environment).stdout
        print(said.splitlines()[-1])
        for file, expected in EXPECTED.items():
            with self.subTest(file):
                ended = re.findall(rf"(?m)^(PASSED|FAILED) \S*{re.escape(file)}::(\w+)", said)
                failed = {name for how, name in ended if how == "FAILED"}
                self.assertIn("PASSED", [how for how, _ in ended], said[-2000:])
                self.assertEqual(failed - set(expected), set(), "these fail and are not listed")
                self.assertEqual(set(expected) - failed, set(), "these are listed and pass")


if __name__ == "__main__":
    unittest.main()
