package dev.equipoise.launcher.context;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The contexts of a user by their names.
 *
 * @param current name of the context that commands use; null for none
 */
public record Contexts(@Nullable String current, SortedMap<String, Context> contexts) {

    public static final Contexts NONE = new Contexts(null, new TreeMap<>());

    public Contexts {
        contexts = Collections.unmodifiableSortedMap(new TreeMap<>(Map.copyOf(contexts)));
    }

    public Optional<Context> named(String name) {
        return Optional.ofNullable(contexts.get(name));
    }

    /** Returns the current context. */
    public Optional<Context> selected() {
        return Optional.ofNullable(current).flatMap(this::named);
    }

    /** Returns these contexts with another one, or another version of it, as the current one. */
    public Contexts with(String name, Context context) {
        SortedMap<String, Context> changed = new TreeMap<>(contexts);
        changed.put(name, context);
        return new Contexts(name, changed);
    }

    /** Returns these contexts with another current one. */
    public Contexts using(String name) {
        return new Contexts(name, contexts);
    }

    /** Returns these contexts without one; none is current if it was the current one. */
    public Contexts without(String name) {
        SortedMap<String, Context> changed = new TreeMap<>(contexts);
        changed.remove(name);
        return new Contexts(name.equals(current) ? null : current, changed);
    }
}
