package dev.equipoise.app.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.equipoise.app.problem.Problem;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** Tests bundles with correct checksums and invalid content. */
class ImportedBundleTest {

    private final JsonMapper json = new JsonMapper();

    private byte[] bundle(Object run, Object workers) throws IOException {
        var zip = new ByteArrayOutputStream();
        var bundle = new BundleWriter(zip, json);
        bundle.add(BundleFiles.DEFINITION, Map.of("name", "study"));
        bundle.add(BundleFiles.RUNS + "/0001.json", run);
        bundle.add(BundleFiles.WORKERS, workers);
        bundle.finish(
                "testing",
                Instant.EPOCH,
                new Manifest.ExportedExperiment(UUID.randomUUID(), "study", 1));
        return zip.toByteArray();
    }

    private void assertRejected(byte[] zip) {
        assertThatThrownBy(() -> ImportedBundle.read(zip, json))
                .isInstanceOfSatisfying(
                        Problem.class,
                        it -> assertThat(it.code().code()).isEqualTo("invalid-bundle"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"id\": null}",
                "{\"id\": \"6b1f8c1e-0000-4000-8000-000000000001\", \"state\": \"COMPLETED\"}",
                "{\"replicas\": [null], \"epochs\": [], \"links\": []}"
            })
    void invalidRunIsReportedAsInvalidBundle(String run) throws IOException {
        assertRejected(bundle(json.readTree(run), Map.of("workers", List.of())));
    }

    @Test
    void invalidWorkersAreReportedAsInvalidBundle() throws IOException {
        assertRejected(bundle(Map.of(), Map.of("workers", List.of(Map.of()))));
        assertRejected(bundle(Map.of(), Map.of()));
    }
}
