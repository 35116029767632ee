package dev.equipoise.launcher.client;

import dev.equipoise.launcher.LabFailure;
import java.io.PrintWriter;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * Writes results to standard output and messages to standard error.
 *
 * @param quiet whether messages are left out
 */
record Output(OutputFormat format, PrintWriter out, PrintWriter err, boolean quiet) {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final YAMLMapper YAML = YAMLMapper.builder().build();

    /** Writes a list of resources. */
    void list(ResourceTable table, List<JsonNode> items) {
        switch (format) {
            case TABLE -> print(table.text(items));
            case CSV -> print(table.csv(items));
            case JSON, YAML -> tree(JSON.createArrayNode().addAll(items));
        }
    }

    /** Writes one resource: a line for each field, or a table of one line as CSV. */
    void single(ResourceTable table, JsonNode item) {
        switch (format) {
            case TABLE -> print(table.details(item));
            case CSV -> print(table.csv(List.of(item)));
            case JSON, YAML -> tree(item);
        }
    }

    /** Writes a tree as YAML, or as JSON in all other formats. */
    void tree(JsonNode tree) {
        print(
                format == OutputFormat.YAML
                        ? YAML.writeValueAsString(tree)
                        : JSON.writerWithDefaultPrettyPrinter().writeValueAsString(tree) + "\n");
    }

    /** Writes a tree as one line of JSON. */
    void line(JsonNode tree) {
        print(JSON.writeValueAsString(tree) + "\n");
    }

    /**
     * Writes a text at once.
     *
     * @throws LabFailure if it cannot be written, so that no command works on for nobody
     */
    void print(String text) {
        out.print(text);
        if (out.checkError()) {
            throw new LabFailure("standard output cannot be written: it is closed or full");
        }
    }

    /** Tells what has happened. */
    void message(String sentence) {
        if (!quiet) {
            error(sentence);
        }
    }

    /** Tells what has failed. */
    void error(String sentence) {
        err.println("equipoise: " + sentence);
        err.flush();
    }
}
