package dev.equipoise.app.experiment;

import java.util.Set;
import java.util.TreeSet;

/** What a definition may name. The agents build the networks. */
public final class Catalogue {

    private static final Set<String> NETWORKS = Set.of("mnist-cnn");

    private Catalogue() {}

    /** Names of the network presets. */
    public static Set<String> networks() {
        return new TreeSet<>(NETWORKS);
    }
}
