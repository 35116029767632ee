package dev.equipoise.launcher.client;

import dev.equipoise.launcher.ServiceApi;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds a path with a query; values may have any character. */
final class Query {

    private final String path;
    private final List<String> parameters = new ArrayList<>();

    Query(String path) {
        this.path = path;
    }

    /** Adds a parameter, unless its value is null or empty. */
    Query with(String name, @Nullable String value) {
        if (value != null && !value.isEmpty()) {
            parameters.add(name + "=" + ServiceApi.encoded(value));
        }
        return this;
    }

    @Override
    public String toString() {
        return parameters.isEmpty() ? path : path + "?" + String.join("&", parameters);
    }
}
