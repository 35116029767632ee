package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.launcher.TestingService.Answer;
import dev.equipoise.testing.TestingCertificates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs in to services whose answers are known, in processes with a configuration of their own. */
class LoginIT {

    private static final String ACCEPTED = "{\"name\": \"ann\", \"administrator\": false}";

    @TempDir private Path configuration;

    private static Map<String, Answer> answers() {
        Map<String, Answer> answers = new HashMap<>();
        answers.put("GET me", new Answer(200, ACCEPTED));
        answers.put("GET runs", new Answer(200, "{\"items\": []}"));
        answers.put("POST session", new Answer(200, "{\"csrfToken\": \"csrf\"}"));
        answers.put("POST tokens", new Answer(201, "{\"id\": \"made\", \"token\": \"eqp_made\"}"));
        answers.put("DELETE session", new Answer(204, ""));
        answers.put("DELETE tokens/made", new Answer(204, ""));
        return answers;
    }

    /**
     * Runs a command without a service in its environment.
     *
     * @param secret first line of its standard input
     */
    private TestingCommand.Ended run(String secret, String... arguments) throws Exception {
        return TestingCommand.withoutService(secret, configuration, arguments);
    }

    private Path file() {
        return configuration.resolve("equipoise/contexts.json");
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void tokenIsStoredForTheUserAloneAndUsedByOtherCommands() throws Exception {
        try (var service = new TestingService(answers())) {
            String url = service.address().toString();

            TestingCommand.Ended login = run("eqp_mine", "login", url, "--context=lab");

            assertThat(login.status()).as(login.output()).isZero();
            assertThat(login.output())
                    .contains("logged in to %s as ann (context lab)".formatted(url))
                    .doesNotContain("eqp_mine");
            assertThat(mode(configuration.resolve("equipoise"))).isEqualTo("rwx------");
            assertThat(mode(file())).isEqualTo("rw-------");
            assertThat(TestingTree.text(file())).contains("eqp_mine");
            assertThat(run("", "runs", "list").status()).isZero();
            assertThat(service.requests()).containsExactly("GET me", "GET runs");
        }
    }

    @Test
    void loginStoresTheAuthority() throws Exception {
        TestingCertificates certificates = TestingCertificates.in(configuration.resolve("tls"));
        try (var service = TestingService.encrypted(certificates.serving(), answers())) {
            String url = service.address().toString();

            TestingCommand.Ended stranger = run("eqp_mine", "login", url);
            TestingCommand.Ended login = run("eqp_mine", "login", url, "--ca=" + certificates.ca());
            TestingCommand.Ended list = run("", "runs", "list");
            TestingCommand.Ended contexts = run("", "contexts", "list", "-o", "csv");

            assertThat(stranger.status()).isEqualTo(1);
            assertThat(stranger.output())
                    .startsWith("equipoise: the certificate of %s is not trusted: ".formatted(url))
                    .endsWith("; --ca names a file with the certificate of its authority\n");
            assertThat(login.status()).as(login.output()).isZero();
            assertThat(TestingTree.text(file())).contains(certificates.ca().toString());
            assertThat(list.status()).as(list.output()).isZero();
            assertThat(service.requests()).containsExactly("GET me", "GET runs");
            assertThat(contexts.output())
                    .contains("%s,true,%s\n".formatted(url, certificates.ca()));
        }
    }

    @Test
    void contextsAreListedWithoutTokensSelectedAndDeleted() throws Exception {
        try (var service = new TestingService(answers())) {
            String url = service.address().toString();
            run("eqp_one", "login", url, "--context=one");
            run("eqp_two", "login", url, "--context=two");

            TestingCommand.Ended list = run("", "contexts", "list");
            assertThat(list.output().lines())
                    .containsExactly(
                            "NAME  SERVICE" + " ".repeat(url.length() - 5) + "CURRENT  CA",
                            "one   %s  false".formatted(url),
                            "two   %s  true".formatted(url));
            assertThat(run("", "contexts", "use", "one").status()).isZero();
            assertThat(run("", "contexts", "list", "-o", "csv").output())
                    .contains("one,%s,true".formatted(url), "two,%s,false".formatted(url));
            assertThat(run("", "contexts", "delete", "one", "two").status()).isZero();
            assertThat(run("", "runs", "list").output())
                    .startsWith("equipoise: no service is named: log in");
            assertThat(service.requests()).doesNotContain("DELETE tokens/made");
        }
    }

    @Test
    void passwordIsExchangedForATokenThatLogoutRevokes() throws Exception {
        try (var service = passwordService(answers())) {
            String url = service.address().toString();

            TestingCommand.Ended login = run("a long enough one", "login", url, "--user=ann");
            assertThat(login.status()).as(login.output()).isZero();
            assertThat(TestingTree.text(file()))
                    .contains("eqp_made")
                    .doesNotContain("a long enough one");
            TestingCommand.Ended logout = run("", "logout");

            assertThat(logout.status()).as(logout.output()).isZero();
            assertThat(service.requests())
                    .containsExactly(
                            "POST session",
                            "POST tokens",
                            "DELETE session",
                            "GET me",
                            "DELETE tokens/made");
            assertThat(TestingTree.text(file())).doesNotContain("eqp_made");
        }
    }

    private static TestingService passwordService(Map<String, Answer> answers) throws IOException {
        return new TestingService(
                answers, Map.of("Set-Cookie", "equipoise_session=eqs_s; Path=/api; HttpOnly"));
    }

    @Test
    void tokenThatCannotBeStoredIsRevoked() throws Exception {
        Files.writeString(configuration.resolve("equipoise"), "a file in place of the folder");
        try (var service = passwordService(answers())) {
            TestingCommand.Ended login =
                    run("a long enough one", "login", service.address().toString(), "--user=ann");

            assertThat(login.status()).isEqualTo(1);
            assertThat(login.output()).startsWith("equipoise: cannot write the contexts in ");
            assertThat(service.requests())
                    .containsExactly(
                            "POST session",
                            "POST tokens",
                            "DELETE session",
                            "GET me",
                            "DELETE tokens/made");
        }
    }

    @Test
    void damagedFileIsFoundBeforeThereIsAToken() throws Exception {
        Files.createDirectories(file().getParent());
        Files.writeString(file(), "{");
        try (var service = passwordService(answers())) {
            TestingCommand.Ended login =
                    run("a long enough one", "login", service.address().toString(), "--user=ann");

            assertThat(login.status()).isEqualTo(1);
            assertThat(login.output()).contains("it is damaged; delete it, and log in again");
            assertThat(service.requests()).isEmpty();
        }
    }

    @Test
    void sessionEndsAlsoIfTheTokenIsRejected() throws Exception {
        Map<String, Answer> answers = answers();
        answers.put(
                "POST tokens", new Answer(403, "{\"code\": \"forbidden\", \"detail\": \"no\"}"));
        try (var service = passwordService(answers)) {
            TestingCommand.Ended login =
                    run("a long enough one", "login", service.address().toString(), "--user=ann");

            assertThat(login.status()).isEqualTo(1);
            assertThat(login.output())
                    .isEqualTo("equipoise: POST /api/v1/tokens was rejected: no\n");
            assertThat(service.requests())
                    .containsExactly("POST session", "POST tokens", "DELETE session");
        }
    }

    @Test
    void tokenThatIsEnteredAgainStaysValidUntilLogout() throws Exception {
        try (var service = passwordService(answers())) {
            String url = service.address().toString();
            run("a long enough one", "login", url, "--user=ann");

            TestingCommand.Ended again = run("eqp_made", "login", url);

            assertThat(again.status()).as(again.output()).isZero();
            assertThat(service.requests()).doesNotContain("DELETE tokens/made");
            run("", "logout");
            assertThat(service.requests()).endsWith("DELETE tokens/made");
        }
    }

    @Test
    void rejectedTokensAndMissingOnesStoreNothing() throws Exception {
        Map<String, Answer> answers = answers();
        answers.put(
                "GET me",
                new Answer(
                        401,
                        "{\"code\": \"unauthenticated\", \"detail\": \"The token is invalid\"}"));
        try (var service = new TestingService(answers)) {
            String url = service.address().toString();

            TestingCommand.Ended rejected = run("eqp_wrong", "login", url);
            TestingCommand.Ended missing = run("", "login", url);
            TestingCommand.Ended malformed = run("eqp_wrong", "login", "lab:8080");

            assertThat(rejected.status()).isEqualTo(1);
            assertThat(rejected.output())
                    .isEqualTo(
                            "equipoise: %s does not accept the token: The token is invalid\n"
                                    .formatted(url));
            assertThat(missing.status()).isEqualTo(2);
            assertThat(missing.output()).startsWith("equipoise: the token must be on the first");
            assertThat(malformed.status()).isEqualTo(2);
            assertThat(file()).doesNotExist();
        }
    }
}
