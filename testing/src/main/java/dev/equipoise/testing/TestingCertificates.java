package dev.equipoise.testing;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A TLS server's certificate for tests, and that of the authority that signed it, as PEM files.
 *
 * @param ca certificate of the authority, which clients trust
 * @param certificate certificate of the server
 * @param key private key of the server, PKCS #8 without a password
 */
public record TestingCertificates(Path ca, Path certificate, Path key) {

    private static final String PASSWORD = "changeit";
    private static final char[] SECRET = PASSWORD.toCharArray();
    private static final String AUTHORITY = "authority";
    private static final String SERVER = "server";

    /** Validity of ten years from now, as keytool reads it. */
    private static final List<String> YEARS = List.of("-validity", "3650");

    /**
     * Creates an authority and a certificate signed by it with the keytool of the JDK, in some two
     * seconds. Replaces those that the folder has.
     *
     * @param folder created if it does not exist
     * @param hosts names and IP addresses of the server; none for 127.0.0.1 and localhost
     */
    public static TestingCertificates in(Path folder, String... hosts) {
        return create(folder, YEARS, hosts);
    }

    /** Creates a certificate that has expired yesterday, otherwise as {@link #in}. */
    public static TestingCertificates expired(Path folder) {
        return create(folder, List.of("-startdate", "-2d", "-validity", "1"));
    }

    private static TestingCertificates create(Path folder, List<String> validity, String... hosts) {
        try {
            Path keys = Files.createDirectories(folder).resolve("keys.p12");
            Files.deleteIfExists(keys);
            generate(
                    keys,
                    AUTHORITY,
                    YEARS,
                    List.of("-ext", "bc:critical=ca:true", "-ext", "ku:critical=keyCertSign"));
            String names = "san=" + (hosts.length == 0 ? "ip:127.0.0.1,dns:localhost" : san(hosts));
            generate(keys, SERVER, validity, List.of("-signer", AUTHORITY, "-ext", names));
            return export(keys);
        } catch (IOException | GeneralSecurityException e) {
            throw new AssertionError("cannot create certificates in " + folder, e);
        }
    }

    private static String san(String... hosts) {
        return Stream.of(hosts)
                .map(it -> (it.matches("[0-9.]+|.*:.*") ? "ip:" : "dns:") + it)
                .collect(joining(","));
    }

    private static void generate(
            Path keys, String alias, List<String> validity, List<String> options)
            throws IOException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of("-genkeypair", "-alias", alias, "-dname", "CN=equipoise " + alias));
        command.addAll(List.of("-keyalg", "EC", "-groupname", "secp256r1"));
        command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD));
        command.addAll(List.of("-keystore", keys.toString()));
        command.addAll(validity);
        command.addAll(options);
        run(command);
    }

    private static void run(List<String> command) throws IOException {
        Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(keytool.getInputStream().readAllBytes(), UTF_8);
        if (keytool.onExit().join().exitValue() != 0) {
            throw new IOException("keytool failed: " + output);
        }
    }

    private static TestingCertificates export(Path file)
            throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            keys.load(in, SECRET);
        }
        return new TestingCertificates(
                write(
                        file.resolveSibling("ca.pem"),
                        "CERTIFICATE",
                        keys.getCertificate(AUTHORITY).getEncoded()),
                write(
                        file.resolveSibling("server.pem"),
                        "CERTIFICATE",
                        keys.getCertificate(SERVER).getEncoded()),
                write(
                        file.resolveSibling("server-key.pem"),
                        "PRIVATE KEY",
                        keys.getKey(SERVER, SECRET).getEncoded()));
    }

    private static Path write(Path file, String label, byte[] content) throws IOException {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return Files.writeString(
                file, "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n".formatted(label, body));
    }

    /** Returns the context of a client that trusts the authority alone. */
    public SSLContext trusting() {
        try {
            KeyStore trusted = emptyStore();
            trusted.setCertificateEntry(AUTHORITY, read(ca));
            TrustManagerFactory managers =
                    TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, managers.getTrustManagers(), null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new AssertionError("cannot trust " + ca, e);
        }
    }

    /** Returns the context of a server with the certificate. */
    public SSLContext serving() {
        try {
            KeyStore keys = emptyStore();
            keys.setKeyEntry(SERVER, privateKey(), SECRET, new Certificate[] {read(certificate)});
            KeyManagerFactory managers =
                    KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            managers.init(keys, SECRET);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(managers.getKeyManagers(), null, null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new AssertionError("cannot serve with " + certificate, e);
        }
    }

    private static KeyStore emptyStore() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    private static Certificate read(Path file) throws IOException, GeneralSecurityException {
        try (InputStream in = Files.newInputStream(file)) {
            return CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }

    private PrivateKey privateKey() throws IOException, GeneralSecurityException {
        String body = Files.readString(key, US_ASCII).replaceAll("-----[A-Z ]+-----", "");
        byte[] content = Base64.getMimeDecoder().decode(body);
        return KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(content));
    }
}
