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

/** The chart, by Helm's own hand. */
final class Chart {

    static final Path FOLDER = Path.of("equipoise");
    static final String RELEASE = "lab";
    static final String NAMESPACE = "training";

    /** That Chart.yaml allows; the library takes itself for an older one. */
    static final String OLDEST_KUBERNETES = "1.30.0";

    /** The longest name of a release that Helm takes. */
    static final String LONG_RELEASE = "a-release-whose-name-is-as-long-as-helm-lets-one-have";

    /** What makes an object a hook. */
    static final String HOOK = "helm.sh/hook: test\n";

    private static final YAMLMapper YAML = new YAMLMapper();

    /** The library renders no hooks, so this has none: what is one is an object as all others. */
    private static final Path WITHOUT_HOOKS = withoutHooks();

    private Chart() {}

    /** The files of values that it comes with, besides its own. */
    static List<Path> valuesFiles() {
        try (Stream<Path> files = Files.list(FOLDER.resolve("ci"))) {
            return files.sorted().toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /**
     * What it renders with these values where nothing is in the cluster yet.
     *
     * @throws IllegalStateException where it refuses them, with the reason
     */
    static String render(String release, String values) {
        return render(release, values, Map.of());
    }

    /** What it renders where these Secrets, as JSON by their names, are in the cluster. */
    static String render(String release, String values, Map<String, String> secrets) {
        try (TestingCluster cluster = TestingCluster.with(secrets)) {
            cluster.choose();
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

    /** The values of the chart with these in place of some. */
    static ObjectNode values(String overrides) {
        ObjectNode all = (ObjectNode) YAML.readTree(FOLDER.resolve("values.yaml"));
        override(all, YAML.readTree(overrides));
        return all;
    }

    /** As Helm does it: objects are merged, all else is replaced. */
    private static void override(ObjectNode all, JsonNode overrides) {
        overrides.forEachEntry((key, value) -> {
            if (value.isObject() && all.get(key) instanceof ObjectNode deeper) {
                override(deeper, value);
            } else {
                all.set(key, value);
            }
        });
    }

    /** Writes it elsewhere. */
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
