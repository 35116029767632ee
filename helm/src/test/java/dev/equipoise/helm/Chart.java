package dev.equipoise.helm;

import com.marcnuri.helm.Helm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Renders the chart with Helm. */
final class Chart {

    static final Path FOLDER = Path.of("equipoise");
    static final String RELEASE = "lab";
    static final String NAMESPACE = "training";

    /** Oldest version that Chart.yaml allows. The Helm library would assume an even older one. */
    static final String OLDEST_KUBERNETES = "1.30.0";

    /** Release name of the greatest length that Helm accepts. */
    static final String LONG_RELEASE = "a-release-whose-name-is-as-long-as-helm-lets-one-have";

    /** Annotation that makes an object a hook. */
    static final String HOOK = "helm.sh/hook: test\n";

    private static final YAMLMapper YAML = new YAMLMapper();

    /**
     * Copy of the chart without hooks, since the Helm library does not render them: a former hook
     * is a plain object.
     */
    private static final Path WITHOUT_HOOKS = withoutHooks();

    private Chart() {}

    /** Lists the values files of the chart's {@code ci} folder. */
    static List<Path> valuesFiles() {
        try (Stream<Path> files = Files.list(FOLDER.resolve("ci"))) {
            return files.sorted().toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /**
     * Renders the chart with values, in an empty cluster.
     *
     * @throws IllegalStateException if the chart rejects the values; the message has the reason
     */
    static String render(String release, String values) {
        return render(release, values, Map.of());
    }

    /** Renders the chart in a cluster with the given Secrets: JSON by name. */
    static String render(String release, String values, Map<String, String> secrets) {
        try (TestingCluster cluster = TestingCluster.with(secrets)) {
            cluster.activate();
            return withFile(
                    values,
                    file ->
                            new Helm(WITHOUT_HOOKS)
                                    .template()
                                    .withName(release)
                                    .withNamespace(NAMESPACE)
                                    .withKubeVersion(OLDEST_KUBERNETES)
                                    .withValuesFile(file)
                                    .call());
        }
    }

    /** Returns the chart's own values with overrides. */
    static ObjectNode values(String overrides) {
        ObjectNode all = (ObjectNode) YAML.readTree(FOLDER.resolve("values.yaml"));
        override(all, YAML.readTree(overrides));
        return all;
    }

    /** Merges objects and replaces all other values, as Helm does. */
    private static void override(ObjectNode all, JsonNode overrides) {
        overrides.forEachEntry((key, value) -> {
            if (value.isObject() && all.get(key) instanceof ObjectNode deeper) {
                override(deeper, value);
            } else {
                all.set(key, value);
            }
        });
    }

    /** Copies the chart to a folder. */
    static void copy(Path to) throws IOException {
        try (Stream<Path> all = Files.walk(FOLDER)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                Path target = to.resolve(FOLDER.relativize(file));
                Files.createDirectories(target.getParent());
                Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    private static Path withoutHooks() {
        Path folder = Path.of("target", "without-hooks");
        try {
            copy(folder);
            Path test = folder.resolve("templates/tests/service.yaml");
            Files.writeString(test, Files.readString(test).replace(HOOK, "none: none\n"));
            return folder;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static <T> T withFile(String content, Function<Path, T> use) {
        try {
            Path file = Files.createTempFile("values", ".yaml");
            try {
                Files.writeString(file, content);
                return use.apply(file);
            } finally {
                Files.delete(file);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
