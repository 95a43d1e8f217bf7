"""A plugin of pytest: scikit-learn's own tests meet our classes under scikit-learn's names."""
import sklearn.cluster
import sklearn.decomposition
import sklearn.manifold
import sklearn.manifold._mds
import sklearn.neighbors
import sklearn.semi_supervised
import sklearn.semi_supervised._label_propagation

import unroll

NAMES = {
    sklearn.manifold: ("Isomap", "LocallyLinearEmbedding", "SpectralEmbedding", "TSNE", "trustworthiness",
                       "locally_linear_embedding", "spectral_embedding"),
    sklearn.manifold._mds: ("MDS", "smacof"),
    sklearn.decomposition: ("PCA", "KernelPCA"),
    sklearn.cluster: ("KMeans", "SpectralClustering", "spectral_clustering"),
    sklearn.neighbors: ("KNeighborsTransformer", "kneighbors_graph"),
    sklearn.semi_supervised: ("LabelPropagation", "LabelSpreading"),
    sklearn.semi_supervised._label_propagation: ("LabelPropagation", "LabelSpreading"),
}
for module, names in NAMES.items():
    for name in names:
        setattr(module, name, getattr(unroll, name))
