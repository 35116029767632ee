package dev.equipoise.app.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class BundleFilesTest {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Instant AS_OF = Instant.parse("2026-11-22T10:00:00Z");

    private static byte[] bundle() {
        var bytes = new ByteArrayOutputStream();
        var writer = new BundleWriter(bytes, JSON);
        try {
            writer.add("definition.json", Map.of("name", "a", "b", 1, "c", 2));
            writer.add("runs/0001.json", Map.of("epochs", List.of(1, 2, 3)));
            writer.finish("1", AS_OF, new Manifest.ExportedExperiment(new UUID(1, 2), "a", 3));
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
        return bytes.toByteArray();
    }

    private static String violation(byte[] zip) {
        Problem problem = catchThrowableOfType(Problem.class, () -> BundleFiles.read(zip, JSON));
        assertThat(problem).isNotNull();
        assertThat(problem.code()).isEqualTo(ErrorCode.INVALID_BUNDLE);
        return problem.violations().getFirst().pointer()
                + " "
                + problem.violations().getFirst().rule();
    }

    private static String violation(Map<String, String> files) {
        return violation(TestingZips.zip(files));
    }

    @Test
    void equalContentHasEqualBytes() {
        assertThat(bundle()).isEqualTo(bundle());
    }

    @Test
    void writtenBundleIsReadBack() {
        BundleFiles files = BundleFiles.read(bundle(), JSON);

        assertThat(files.tree("definition.json").path("name").stringValue()).isEqualTo("a");
        assertThat(files.in("runs")).containsExactly("runs/0001.json");
        assertThat(files.manifest().asOf()).isEqualTo(AS_OF);
        assertThat(files.manifest().omitted()).containsExactly("models");
    }

    @Test
    void fileThatDiffersFromTheManifestIsRejected() {
        Map<String, String> files = TestingZips.unzip(bundle());
        files.compute("definition.json", (_, text) -> text.replace('a', 'b'));

        assertThat(violation(files))
                .isEqualTo("/definition.json differs from the manifest in size or checksum");
    }

    @Test
    void fileThatIsNotInTheManifestIsRejected() {
        Map<String, String> files = TestingZips.unzip(bundle());
        files.put("more.json", "{}");

        assertThat(violation(files)).isEqualTo("/more.json is not in the manifest");
    }

    @Test
    void missingFileIsRejected() {
        Map<String, String> files = TestingZips.unzip(bundle());
        files.remove("runs/0001.json");

        assertThat(violation(files)).isEqualTo("/runs/0001.json must occur exactly once");
        assertThat(violation(Map.of())).isEqualTo("/manifest.json must be given");
    }

    @Test
    void unknownFormatIsRejected() {
        Map<String, String> files = TestingZips.unzip(bundle());
        files.compute("manifest.json", (_, text) -> text.replace("study/1", "study/2"));

        assertThat(violation(files))
                .isEqualTo(
                        "/manifest.json must be of format equipoise-study/1, but is of"
                                + " equipoise-study/2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "../up.json",
                "/root.json",
                "a/b/c.json",
                "a\\b.json",
                "C:x.json",
                "run.sh",
                "runs/",
                "x\u0000.json"
            })
    void fileNameThatCouldBeAPathIsRejected(String name) {
        assertThat(violation(Map.of(name, "{}")))
                .endsWith(" is not a valid name of a file in a bundle");
    }

    /** The packed file has a thousandth of its size. */
    @Test
    void tooLargeFileIsRejected() {
        assertThat(violation(Map.of("a.json", " ".repeat(BundleFiles.MAX_BYTES + 1))))
                .isEqualTo("/a.json has more than 16777216 bytes");
    }

    @Test
    void tooLargeFilesTogetherAreRejected() {
        Map<String, String> files = new LinkedHashMap<>();
        String large = " ".repeat(BundleFiles.MAX_BYTES);
        for (int i = 0; i < BundleFiles.MAX_TOTAL_BYTES / BundleFiles.MAX_BYTES; i++) {
            files.put("a" + i + ".json", large);
        }
        files.put("last.json", "{}");

        assertThat(violation(files)).isEqualTo("/last.json has more than 0 bytes");
    }

    @Test
    void tooManyFilesAreRejected() {
        Map<String, String> files = new LinkedHashMap<>();
        for (int i = 0; i <= BundleFiles.MAX_FILES; i++) {
            files.put("a" + i + ".json", "");
        }

        assertThat(violation(files)).endsWith("is one of more than 2010 files");
    }

    @Test
    void brokenZipIsRejected() {
        assertThat(violation("nothing".getBytes(StandardCharsets.UTF_8)))
                .isEqualTo("/manifest.json must be given");
        assertThat(violation(Arrays.copyOf(bundle(), 100)))
                .isEqualTo("/ must be a zip that can be read to its end");
    }

    /** The files are still whole if only the directory at the end is cut. */
    @Test
    void cutZipIsRejected() {
        byte[] bundle = bundle();

        for (int length = 0; length < bundle.length; length++) {
            assertThat(violation(Arrays.copyOf(bundle, length)))
                    .as("cut to %d of %d bytes", length, bundle.length)
                    .isIn(
                            "/manifest.json must be given",
                            "/ must be a zip that can be read to its end");
        }
        assertThat(violation(Arrays.copyOf(bundle, bundle.length + 1)))
                .isEqualTo("/ must be a zip that can be read to its end");
    }

    /** Parsed as a tree, each file would take many times its bytes. */
    @Test
    void tooManyOrTooDeepValuesAreRejected() throws IOException {
        String many = "[" + "1,".repeat(BundleFiles.MAX_TOKENS) + "1]";
        String deep = "[".repeat(BundleFiles.MAX_DEPTH + 1) + "]".repeat(BundleFiles.MAX_DEPTH + 1);

        for (String excessive : List.of(many, deep)) {
            BundleFiles bundle = withFile(excessive);
            Problem problem = catchThrowableOfType(Problem.class, () -> bundle.tree("a.json"));
            assertThat(problem.code()).isEqualTo(ErrorCode.INVALID_BUNDLE);
            assertThat(problem.violations().getFirst().rule())
                    .startsWith("must be JSON of at most 1500000 values, nested at most 100 deep");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\": \"\\u0000\"}",
                "{\"\\u0000\": 1}",
                "{\"a\": \"name\\nFORGED\"}",
                "{\"na\\u2028me\": 1}",
                "{\"a\": \"\\u202e\"}",
                "{\"a\": [1e999]}",
                "{",
                ""
            })
    void valuesThatCannotBeStoredAreRejected(String text) throws IOException {
        BundleFiles bundle = withFile(text);

        Problem problem = catchThrowableOfType(Problem.class, () -> bundle.tree("a.json"));

        assertThat(problem.code()).isEqualTo(ErrorCode.INVALID_BUNDLE);
    }

    private static BundleFiles withFile(String text) throws IOException {
        Map<String, String> files = TestingZips.unzip(bundle());
        String manifest = files.get("manifest.json");
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        var tree = JSON.readTree(manifest).asObject();
        tree.withArray("files")
                .removeAll()
                .addObject()
                .put("path", "a.json")
                .put("sha256", Checksum.of(bytes))
                .put("bytes", bytes.length);
        return BundleFiles.read(
                TestingZips.zip(Map.of("a.json", text, "manifest.json", tree.toString())), JSON);
    }
}
