package dev.equipoise.app.webhook;

import dev.equipoise.testing.Patience;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A certificate of one name that signs itself, made by the keytool of the Java platform. */
final class TestingCertificate {

    private static final String PASSWORD = "changeit";
    private static final String ALIAS = "receiver";

    private final KeyStore keys;

    private TestingCertificate(KeyStore keys) {
        this.keys = keys;
    }

    static TestingCertificate of(String name, Path folder) throws Exception {
        Path file = folder.resolve("keys.p12");
        List<String> command =
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                        "-genkeypair",
                        "-alias",
                        ALIAS,
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        "san=dns:" + name,
                        "-validity",
                        "3650",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        PASSWORD);
        Process keytool =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("keytool.txt").toFile())
                        .start();
        if (!keytool.waitFor(Patience.SECONDS, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
            throw new AssertionError(Files.readString(folder.resolve("keytool.txt")));
        }
        return new TestingCertificate(stored(file));
    }

    private static KeyStore stored(Path file) throws GeneralSecurityException, IOException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        return keys;
    }

    /** Returns the context of a server with this certificate. */
    SSLContext server() throws GeneralSecurityException {
        KeyManagerFactory managers =
                KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, new SecureRandom());
        return context;
    }

    /** Returns the context of a client that trusts this certificate alone. */
    SSLContext client() throws GeneralSecurityException, IOException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry(ALIAS, keys.getCertificate(ALIAS));
        TrustManagerFactory managers =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), new SecureRandom());
        return context;
    }
}
