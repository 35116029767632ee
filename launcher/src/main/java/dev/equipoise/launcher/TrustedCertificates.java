package dev.equipoise.launcher;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * Reads the certificates of authorities, by which a TLS client recognizes a server. The agent has a
 * class of the same name and rules, since the command line depends on the HTTP API alone.
 */
final class TrustedCertificates {

    static final int MAX_BYTES = 1 << 20;

    private TrustedCertificates() {}

    /**
     * Returns a context that trusts the certificates of a file and no others.
     *
     * @param file at least one X.509 certificate as PEM, of at most 1 MiB
     * @throws UsageError if it cannot be used
     */
    static SSLContext read(Path file) {
        try {
            return trusting(certificates(file));
        } catch (IOException unreadable) {
            throw unusable(file, LabFailure.reason(unreadable));
        } catch (CertificateException malformed) {
            throw unusable(file, "it must have certificates as PEM: " + malformed.getMessage());
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException("every JDK has TLS", missing);
        }
    }

    private static UsageError unusable(Path file, String reason) {
        return new UsageError(
                "the file of authorities %s cannot be used: %s; --ca names another one"
                        .formatted(file, reason));
    }

    private static Collection<? extends Certificate> certificates(Path file)
            throws IOException, CertificateException {
        byte[] content;
        try (InputStream in = Files.newInputStream(file)) {
            content = in.readNBytes(MAX_BYTES + 1);
        }
        if (content.length > MAX_BYTES) {
            throw new IOException("it has more than %d bytes".formatted(MAX_BYTES));
        }
        Collection<? extends Certificate> found =
                CertificateFactory.getInstance("X.509")
                        .generateCertificates(new ByteArrayInputStream(content));
        if (found.isEmpty()) {
            throw new CertificateException("it has none");
        }
        return found;
    }

    private static SSLContext trusting(Collection<? extends Certificate> authorities)
            throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        for (Certificate authority : authorities) {
            store.setCertificateEntry("authority " + store.size(), authority);
        }
        TrustManagerFactory managers =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }
}
