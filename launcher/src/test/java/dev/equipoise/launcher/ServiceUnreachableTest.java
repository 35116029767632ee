package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.nio.channels.UnresolvedAddressException;
import java.security.cert.CertificateExpiredException;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ServiceUnreachableTest {

    static Stream<Arguments> failures() {
        return Stream.of(
                Arguments.of(new ConnectException(), "cannot connect"),
                Arguments.of(
                        new ConnectException().initCause(new UnresolvedAddressException()),
                        "the name of its host is unknown"),
                Arguments.of(new IOException("connection reset"), "connection reset"),
                Arguments.of(new IOException(), "IOException"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void messageNamesAddressAndReason(Throwable cause, String reason) {
        assertThat(new ServiceUnreachable(URI.create("http://lab:8080"), cause))
                .hasMessage("the service at http://lab:8080 does not answer: " + reason);
    }

    @Test
    void messageNamesTheReasonOfARejectedCertificate() {
        var handshake = new SSLHandshakeException("(certificate_unknown)");
        handshake.initCause(new CertificateExpiredException("NotAfter: today"));

        assertThat(new ServiceUnreachable(URI.create("https://lab/equipoise"), handshake))
                .hasMessage(
                        "the certificate of https://lab/equipoise has expired: NotAfter: today;"
                                + " renew it");
    }
}
