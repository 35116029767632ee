package dev.equipoise.app.experiment;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** What a definition may name. The agents find the data and build the networks. */
final class Catalogue {

    /** Training samples of each data set. */
    private static final Map<String, Integer> DATASETS = Map.of("mnist", 60_000);

    private Catalogue() {}

    static Set<String> datasets() {
        return new TreeSet<>(DATASETS.keySet());
    }

    static int trainingSamples(String dataset) {
        return DATASETS.getOrDefault(dataset, 1);
    }
}
