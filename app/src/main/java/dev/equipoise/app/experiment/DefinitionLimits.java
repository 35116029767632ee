package dev.equipoise.app.experiment;

/** Limits of a definition that several readers check. */
final class DefinitionLimits {

    static final int MAX_EPOCHS = 100_000;
    static final int MAX_REPLICAS = 1024;

    private DefinitionLimits() {}
}
