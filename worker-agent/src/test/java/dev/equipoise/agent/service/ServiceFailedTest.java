package dev.equipoise.agent.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ServiceFailedTest {

    static Stream<Arguments> failures() {
        return Stream.of(
                Arguments.of(new ConnectException(), "cannot connect"),
                Arguments.of(
                        new ConnectException().initCause(new UnresolvedAddressException()),
                        "the name of its host is unknown"),
                Arguments.of(
                        new HttpConnectTimeoutException("HTTP connect timed out"),
                        "HTTP connect timed out"),
                Arguments.of(new IOException("connection reset"), "connection reset"),
                Arguments.of(new IOException(), "IOException"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void missingAnswerNamesAddressAndReason(Throwable cause, String reason) {
        assertThat(ServiceFailed.unreachable("http://lab:8080", cause))
                .hasMessage("no answer from the service at http://lab:8080: " + reason);
    }
}
