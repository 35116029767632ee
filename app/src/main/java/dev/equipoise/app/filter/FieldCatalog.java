package dev.equipoise.app.filter;

import dev.equipoise.app.problem.Suggestion;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one kind of list. A field has its full name, and each end of it that no other field
 * has: {@code training.batchSize} is also {@code batchSize}. The last part {@code .kind} may be
 * left out.
 */
public final class FieldCatalog {

    private static final String KIND = ".kind";

    private final Map<String, FilterField> fields = new LinkedHashMap<>();
    private final Map<String, FilterField> aliases = new TreeMap<>();

    /** Full names of the fields that share an end of their names. */
    private final Map<String, Set<String>> ambiguous = new TreeMap<>();

    private final @Nullable FilterField labels;

    /**
     * Creates a catalog.
     *
     * @param given aliases by the full names that they stand for; they precede ends of names
     * @param labels field whose parts are labels, each a field of its own; null for none
     */
    public FieldCatalog(
            List<FilterField> all, Map<String, String> given, @Nullable FilterField labels) {
        this.labels = labels;
        all.forEach(it -> fields.put(it.name(), it));
        given.forEach(
                (alias, name) -> aliases.put(alias, Objects.requireNonNull(fields.get(name))));
        ends(all).forEach((end, owners) -> addEnd(end, owners, given.keySet()));
    }

    /** Returns the fields by each end of their names that is not a full name. */
    private Map<String, List<FilterField>> ends(List<FilterField> all) {
        Map<String, List<FilterField>> ends = new TreeMap<>();
        for (FilterField field : all) {
            Set<String> ofField = new TreeSet<>(endsOf(field.name()));
            if (field.name().endsWith(KIND)) {
                String choice = field.name().substring(0, field.name().length() - KIND.length());
                ofField.add(choice);
                ofField.addAll(endsOf(choice));
            }
            ofField.remove("kind");
            ofField.forEach(end -> ends.merge(end, List.of(field), FieldCatalog::joined));
        }
        ends.keySet().removeAll(fields.keySet());
        return ends;
    }

    private static List<FilterField> joined(List<FilterField> some, List<FilterField> others) {
        return Stream.concat(some.stream(), others.stream()).toList();
    }

    private static List<String> endsOf(String name) {
        return IntStream.range(0, name.length())
                .filter(at -> name.charAt(at) == '.')
                .mapToObj(at -> name.substring(at + 1))
                .toList();
    }

    private void addEnd(String end, List<FilterField> owners, Set<String> given) {
        if (given.contains(end)) {
            return;
        }
        if (owners.size() == 1) {
            aliases.put(end, owners.getFirst());
        } else {
            ambiguous.put(end, new TreeSet<>(owners.stream().map(FilterField::name).toList()));
        }
    }

    /** Returns all fields, without the labels. */
    public Collection<FilterField> all() {
        return List.copyOf(fields.values());
    }

    /** Returns the other names of a field, in alphabetic order. */
    public List<String> aliases(FilterField field) {
        return aliases.entrySet().stream()
                .filter(it -> it.getValue().equals(field))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Returns the field of a full or a short name, or of a label. */
    public Optional<FilterField> find(String name) {
        return Optional.ofNullable(fields.get(name))
                .or(() -> Optional.ofNullable(aliases.get(name)))
                .or(() -> label(name));
    }

    private Optional<FilterField> label(String name) {
        return Optional.ofNullable(labels)
                .filter(it ->
                        name.startsWith(it.name() + ".") && name.length() > it.name().length() + 1)
                .map(it -> it.at(name.substring(it.name().length() + 1)));
    }

    /** Tells why no field has a name. */
    public String unknown(String name) {
        Set<String> several = ambiguous.get(name);
        if (several != null) {
            return "is the end of several fields: write one of " + several;
        }
        Set<String> known = new TreeSet<>(fields.keySet());
        known.addAll(aliases.keySet());
        return "is not a field" + Suggestion.after(name, known);
    }
}
