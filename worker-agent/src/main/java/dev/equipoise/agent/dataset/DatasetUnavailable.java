package dev.equipoise.agent.dataset;

import java.util.List;

/** A data set was neither found nor fetched; the message names each attempt and why it failed. */
public final class DatasetUnavailable extends RuntimeException {
    DatasetUnavailable(String name, List<String> attempts) {
        super("data set %s is not to be had:\n  %s".formatted(name, String.join("\n  ", attempts)));
    }
}
