package dev.equipoise.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class CertificateRejectionTest {

    private static final URI SERVICE = URI.create("https://lab/equipoise");
    private static final String ADVICE =
            "; --ca names a file with the certificate of its authority";

    static Stream<Arguments> rejections() {
        return Stream.of(
                Arguments.of(
                        new CertificateExpiredException("NotAfter: today"),
                        "has expired: NotAfter: today; renew it"),
                Arguments.of(new CertificateExpiredException(), "has expired; renew it"),
                Arguments.of(
                        new CertificateException(
                                new CertPathValidatorException(
                                        "validity check failed",
                                        new CertificateExpiredException("NotAfter: today"))),
                        "has expired: NotAfter: today; renew it"),
                Arguments.of(
                        new CertificateNotYetValidException("NotBefore: today"),
                        "is not valid yet: NotBefore: today; set the clock of this host"),
                Arguments.of(
                        new CertificateException("No name matching lab found"),
                        "is for another host: No name matching lab found; use a name of its"
                                + " subjectAltName"),
                Arguments.of(
                        new CertificateException("Unknown algorithm"),
                        "is not trusted: Unknown algorithm" + ADVICE),
                Arguments.of(new CertificateException(), "is not trusted" + ADVICE),
                Arguments.of(
                        new CertificateException(new CertPathBuilderException("no path")),
                        "is not trusted: no path" + ADVICE));
    }

    @ParameterizedTest
    @MethodSource("rejections")
    void sentenceHasTheReasonAndWhatToDo(CertificateException cause, String reason) {
        var handshake = new SSLHandshakeException("(certificate_unknown)");
        handshake.initCause(cause);

        assertThat(CertificateRejection.of(SERVICE, handshake))
                .contains("the certificate of https://lab/equipoise " + reason);
    }

    @Test
    void otherFailuresAreNoRejections() {
        assertThat(CertificateRejection.of(SERVICE, new IOException("connection reset"))).isEmpty();
        assertThat(CertificateRejection.of(SERVICE, new SSLHandshakeException("no cipher")))
                .isEmpty();
    }
}
