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
 * A value that a comment "# -- ..." above it explains; what is in it is explained with it, or has
 * comments of its own.
 *
 * @param path its names from the top, those of what is in a list behind []
 * @param unset what it is unless somebody sets it
 */
record DocumentedValue(String path, String unset, String text) {

    private static final String MARK = " -- ";

    /** Those of a file of values, in its order. */
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

    /** In one line; what has explanations of its own inside is left out. */
    private static String flow(Node node) {
        return switch (node) {
            case ScalarNode scalar -> scalar.getValue();
            case SequenceNode sequence -> {
                boolean explained = !all(sequence).isEmpty();
                yield explained
                        ? ""
                        : sequence.getValue().stream()
                                .map(DocumentedValue::flow)
                                .collect(Collectors.joining(", ", "[", "]"));
            }
            case MappingNode mapping ->
                    mapping.getValue().stream()
                            .map(it -> flow(it.getKeyNode()) + ": " + flow(it.getValueNode()))
                            .collect(Collectors.joining(", ", "{", "}"));
            default -> throw new IllegalArgumentException("no value of ours: " + node);
        };
    }

    private static List<DocumentedValue> all(Node node) {
        List<DocumentedValue> found = new ArrayList<>();
        collect("", node, found);
        return found;
    }

    /** As a row of a table. */
    String row() {
        return "| `%s` | %s | %s |"
                .formatted(
                        path, unset.isEmpty() ? "" : "`" + unset + "`", text.replace("|", "\\|"));
    }
}
