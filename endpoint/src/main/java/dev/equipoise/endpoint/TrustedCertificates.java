package dev.equipoise.endpoint;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Reads certificate authorities, by which a TLS client recognizes a server. */
public final class TrustedCertificates {

    static final int MAX_BYTES = 1 << 20;

    private TrustedCertificates() {}

    /**
     * Returns a context that trusts the certificate authorities of a file and no others.
     *
     * @param file at least one X.509 certificate as PEM, of at most 1 MiB
     * @throws IllegalArgumentException if it cannot be used; the message has the file and the
     *     reason
     */
    public static SSLContext read(Path file) {
        try {
            return trusting(certificates(file));
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalArgumentException("%s: %s".formatted(file, reason(e)), e);
        }
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

    private static String reason(Exception failure) {
        return switch (failure) {
            case NoSuchFileException _ -> "it does not exist";
            case AccessDeniedException _ -> "permission denied";
            case CertificateException _ ->
                    "it must have certificates as PEM: " + failure.getMessage();
            default -> String.valueOf(failure.getMessage());
        };
    }
}
