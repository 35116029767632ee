package dev.equipoise.app.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.equipoise.app.checkpoint.CheckpointSettings.Storage;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.util.unit.DataSize;

class CheckpointSettingsTest {

    private static final Map<String, String> BUCKET =
            Map.of(
                    "folder", "here",
                    "storage", "s3",
                    "s3.bucket", "checkpoints",
                    "s3.endpoint", "https://s3.example:9000",
                    "s3.access-key", "the-lab",
                    "s3.secret-key", "not-for-logs");

    private static CheckpointSettings bound(Map<String, String> settings) {
        Map<String, String> properties = new HashMap<>();
        settings.forEach((name, value) -> properties.put("equipoise.checkpoint." + name, value));
        return new Binder(new MapConfigurationPropertySource(properties))
                .bind("equipoise.checkpoint", CheckpointSettings.class)
                .get();
    }

    private static Map<String, String> bucketWith(String name, String value) {
        Map<String, String> properties = new HashMap<>(BUCKET);
        properties.put(name, value);
        return properties;
    }

    @Test
    void defaultStorageIsTheFolder() {
        assertThat(bound(Map.of("folder", "here")))
                .isEqualTo(
                        new CheckpointSettings(
                                Storage.FOLDER,
                                Path.of("here"),
                                DataSize.ofGigabytes(1),
                                DataSize.ofMegabytes(256),
                                null));
        assertThat(bound(Map.of("folder", "here")).store()).isInstanceOf(FolderStore.class);
    }

    @Test
    void storageMayBeABucket() {
        CheckpointSettings settings = bound(BUCKET);

        assertThat(settings.s3())
                .isEqualTo(
                        new S3Settings(
                                URI.create("https://s3.example:9000"),
                                "checkpoints",
                                "us-east-1",
                                "",
                                "the-lab",
                                "not-for-logs",
                                null,
                                false));
        assertThat(settings.store()).isInstanceOf(S3Store.class);
    }

    @Test
    void secretMayBeInAFile(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("secret"), "in-a-file\n");
        Map<String, String> properties = bucketWith("s3.secret-key-file", file.toString());
        properties.remove("s3.secret-key");

        assertThat(Optional.ofNullable(bound(properties).s3()).map(S3Settings::secret))
                .contains("in-a-file");
    }

    @Test
    void toStringOmitsCredentials() {
        assertThat(bound(BUCKET).toString())
                .contains("checkpoints", "s3.example")
                .doesNotContain("the-lab", "not-for-logs");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "s3.bucket | '' | equipoise.checkpoint.s3.bucket must be named",
                "s3.access-key | '' | equipoise.checkpoint.s3.access-key must be given",
                "s3.secret-key-file | somewhere | secret-key or secret-key-file must be given, and not both",
                "s3.endpoint | ftp://s3.example | endpoint must be an address such as https://s3.example, but was ftp:",
                "largest | 0B | equipoise.checkpoint.largest must be from 1",
                "kept-free | -1B | equipoise.checkpoint.kept-free must not be negative"
            })
    void invalidSettingsAreRejectedWithTheReason(String name, String value, String reason) {
        assertThatThrownBy(() -> bound(bucketWith(name, value)))
                .rootCause()
                .hasMessageContaining(reason)
                .hasMessageNotContaining("not-for-logs");
    }

    @Test
    void storageInABucketRequiresTheBucket() {
        assertThatThrownBy(() -> bound(Map.of("folder", "here", "storage", "s3")))
                .rootCause()
                .hasMessageContaining("equipoise.checkpoint.s3 must be set");
    }
}
