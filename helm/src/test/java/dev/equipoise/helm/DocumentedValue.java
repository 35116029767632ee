package dev.equipoise.helm;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.comments.CommentLine;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * A value of the chart that a comment "# -- ..." above it documents. The comment covers nested
 * values, unless these have comments of their own.
 *
 * @param path names from the root, joined by dots; [] follows the name of a list
 * @param unset the default value
 */
record DocumentedValue(String path, String unset, String text) {

    private static final String MARK = " -- ";

    /** Reads the documented values of a values file, in file order. */
    static List<DocumentedValue> all(String yaml) {
        LoadSettings settings = LoadSettings.builder().setParseComments(true).build();
        List<DocumentedValue> found = new ArrayList<>();
        collect("", new Compose(settings).composeString(yaml).orElseThrow(), found);
        return List.copyOf(found);
    }

    private static void collect(String path, Node node, List<DocumentedValue> found) {
        switch (node) {
            case MappingNode mapping -> mapping.getValue().forEach(it -> collect(path, it, found));
            case SequenceNode sequence ->
                    sequence.getValue().forEach(it -> collect(path + "[]", it, found));
            default -> {}
        }
    }

    private static void collect(String above, NodeTuple tuple, List<DocumentedValue> found) {
        String name = ((ScalarNode) tuple.getKeyNode()).getValue();
        String path = above.isEmpty() ? name : above + "." + name;
        String text = comment(tuple.getKeyNode());
        if (text.startsWith(MARK)) {
            found.add(
                    new DocumentedValue(
                            path, flow(tuple.getValueNode()), text.substring(MARK.length())));
        }
        collect(path, tuple.getValueNode(), found);
    }

    private static String comment(Node node) {
        @Nullable List<CommentLine> lines = node.getBlockComments();
        return lines == null
                ? ""
                : lines.stream().map(CommentLine::getValue).collect(Collectors.joining());
    }

    /** Formats a value in one line; empty for a list that contains documented values. */
    private static String flow(Node node) {
        return switch (node) {
            case ScalarNode scalar -> scalar.getValue();
            case SequenceNode sequence -> {
                boolean isDocumented = !all(sequence).isEmpty();
                yield isDocumented
                        ? ""
                        : sequence.getValue().stream()
                                .map(DocumentedValue::flow)
                                .collect(Collectors.joining(", ", "[", "]"));
            }
            case MappingNode mapping ->
                    mapping.getValue().stream()
                            .map(it -> flow(it.getKeyNode()) + ": " + flow(it.getValueNode()))
                            .collect(Collectors.joining(", ", "{", "}"));
            default -> throw new IllegalArgumentException("unsupported YAML node: " + node);
        };
    }

    private static List<DocumentedValue> all(Node node) {
        List<DocumentedValue> found = new ArrayList<>();
        collect("", node, found);
        return found;
    }

    /** Returns a row of a Markdown table. */
    String row() {
        return "| `%s` | %s | %s |"
                .formatted(
                        path, unset.isEmpty() ? "" : "`" + unset + "`", text.replace("|", "\\|"));
    }
}
