package dev.equipoise.launcher;

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
                .isInstanceOf(UsageError.class)
                .hasMessageStartingWith(
                        "the file of authorities %s cannot be used: it must have certificates as"
                                + " PEM: ",
                        file);
    }

    @Test
    void missingFileIsRefused() {
        Path file = folder.resolve("ca.pem");

        assertThatThrownBy(() -> TrustedCertificates.read(file))
                .isInstanceOf(UsageError.class)
                .hasMessage(
                        "the file of authorities %s cannot be used: there is no such file or"
                                + " folder; --ca names another one",
                        file);
    }

    @Test
    void largeFileIsRefused() throws IOException {
        Path file =
                Files.write(folder.resolve("ca.pem"), new byte[TrustedCertificates.MAX_BYTES + 1]);

        assertThatThrownBy(() -> TrustedCertificates.read(file))
                .isInstanceOf(UsageError.class)
                .hasMessage(
                        "the file of authorities %s cannot be used: it has more than 1048576"
                                + " bytes; --ca names another one",
                        file);
    }
}
