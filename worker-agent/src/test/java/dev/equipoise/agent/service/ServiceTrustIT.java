package dev.equipoise.agent.service;

import static dev.equipoise.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.equipoise.agent.service.TestingService.Answer;
import dev.equipoise.endpoint.TrustedCertificates;
import dev.equipoise.protocol.Credential;
import dev.equipoise.protocol.HostDescription;
import dev.equipoise.protocol.Registration;
import dev.equipoise.testing.TestingCertificates;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent and a service with a certificate, over loopback. */
class ServiceTrustIT {

    private static final Registration REGISTRATION =
            new Registration(
                    "alpha",
                    new HostDescription("host", 2, 1, 1L << 30, "Linux amd64", "oneDNN", 1),
                    "127.0.0.1:5701",
                    Map.of(),
                    Credential.random(new SecureRandom()));

    private static final String ADVICE =
            "; --ca names a file with the certificate of its authority";

    @TempDir private static Path folder;

    private static TestingCertificates certificates;

    /** Certificate of another authority for another host. */
    private static TestingCertificates foreign;

    private TestingService service;

    @BeforeAll
    static void createCertificates() {
        certificates = TestingCertificates.in(folder.resolve("own"));
        foreign = TestingCertificates.in(folder.resolve("foreign"), "lab.example");
    }

    @BeforeEach
    void start() {
        service = answering(certificates);
    }

    @AfterEach
    void stop() {
        service.close();
    }

    private static TestingService answering(TestingCertificates certificates) {
        return TestingService.encrypted(
                certificates.serving(),
                _ ->
                        Answer.ok(
                                """
                                {"worker":"00000000-0000-0000-0000-000000000001",
                                 "clusterName":"lab","members":[]}\
                                """));
    }

    @Test
    void serviceOfTheAuthorityIsTrusted() throws InterruptedException {
        ServiceClient client = register(trusting(service, certificates.ca()));

        assertThat(client.admission().clusterName()).isEqualTo("lab");
        assertThat(service.url()).hasScheme("https");
    }

    @Test
    void everyAuthorityOfTheFileIsTrusted() throws Exception {
        Path bundle = folder.resolve("bundle.pem");
        Files.writeString(
                bundle,
                Files.readString(foreign.ca())
                        + "Certificate of the laboratory\n"
                        + Files.readString(certificates.ca()));

        assertThat(register(trusting(service, bundle)).admission().clusterName()).isEqualTo("lab");
    }

    /** A renewed certificate may mend it, so the agent tries again. */
    @Test
    void serviceOfAnotherAuthorityIsNotTrusted() {
        assertThatThrownBy(() -> register(trusting(service, foreign.ca())))
                .isInstanceOfSatisfying(
                        ServiceFailed.class, e -> assertThat(e.isTemporary()).isTrue())
                .hasMessageStartingWith(
                        "the certificate of %s is not trusted: ", service.url().toString())
                .hasMessageEndingWith(ADVICE);
        assertThat(service.requests()).isEmpty();
    }

    @Test
    void authoritiesOfTheJdkCertifyWithoutAFile() {
        assertThatThrownBy(() -> register(service.endpoint()))
                .hasMessageContaining("is not trusted: unable to find valid certification path")
                .hasMessageEndingWith(ADVICE);
    }

    @Test
    void certificateOfAnotherHostIsNotAccepted() {
        try (TestingService other = answering(foreign)) {
            assertThatThrownBy(() -> register(trusting(other, foreign.ca())))
                    .hasMessageStartingWith(
                            "the certificate of %s is for another host: ", other.url().toString())
                    .hasMessageEndingWith("; use a name of its subjectAltName");
            assertThat(other.requests()).isEmpty();
        }
    }

    @Test
    void expiredCertificateIsNotAccepted() {
        TestingCertificates expired = TestingCertificates.expired(folder.resolve("expired"));
        try (TestingService other = answering(expired)) {
            assertThatThrownBy(() -> register(trusting(other, expired.ca())))
                    .hasMessageStartingWith(
                            "the certificate of %s has expired: ", other.url().toString())
                    .hasMessageEndingWith("; renew it");
            assertThat(other.requests()).isEmpty();
        }
    }

    private static ServiceEndpoint trusting(TestingService service, Path ca) {
        return new ServiceEndpoint(service.url(), TrustedCertificates.read(ca));
    }

    private static ServiceClient register(ServiceEndpoint endpoint) throws InterruptedException {
        return ServiceClient.register(endpoint, PATIENCE, "eqj_token", REGISTRATION);
    }
}
