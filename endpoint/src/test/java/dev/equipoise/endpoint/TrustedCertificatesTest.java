package dev.equipoise.endpoint;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TrustedCertificatesTest {

    @TempDir private Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "no certificate\n",
                "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n",
                "-----BEGIN CERTIFICATE-----\nMIIB\n"
            })
    void fileWithoutCertificatesIsRefused(String content) throws IOException {
        Path file = Files.writeString(folder.resolve("ca.pem"), content);

        assertThatThrownBy(() -> TrustedCertificates.read(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("%s: it must have certificates as PEM: ", file);
    }

    @Test
    void missingFileIsRefused() {
        Path file = folder.resolve("ca.pem");

        assertThatThrownBy(() -> TrustedCertificates.read(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("%s: it does not exist", file);
    }

    @Test
    void largeFileIsRefused() throws IOException {
        Path file =
                Files.write(folder.resolve("ca.pem"), new byte[TrustedCertificates.MAX_BYTES + 1]);

        assertThatThrownBy(() -> TrustedCertificates.read(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("%s: it has more than 1048576 bytes", file);
    }
}
