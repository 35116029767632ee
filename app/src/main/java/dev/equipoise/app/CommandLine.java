package dev.equipoise.app;

import dev.equipoise.protocol.ProtocolVersion;
import dev.equipoise.protocol.SoftwareVersion;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Command line of the service: options that ask for a text, and settings of Spring Boot. */
final class CommandLine {

    private static final Set<String> VERSION = Set.of("--version", "-V");
    private static final Set<String> HELP = Set.of("--help", "-h");

    private static final String USAGE =
            """
            usage: ./equipoise service [--SETTING=VALUE...]

            Starts the service until it is stopped. Without other settings it keeps its data in the user's folder,
            starts a database of its own, and listens at http://127.0.0.1:8080.

              --server.address=ADDRESS                          address to listen at (default: 127.0.0.1;
                                                                0.0.0.0 for all interfaces)
              --server.port=PORT                                port to listen at (default: 8080)
              --equipoise.data=FOLDER                           database, checkpoints and files of the service
                                                                (default: $XDG_DATA_HOME/equipoise/service)
              --equipoise.account.administrator-token-file=F    file for the token of the first administrator
                                                                (default: the first start prints it)
              --spring.datasource.url=URL                       a PostgreSQL database instead of its own
              --spring.datasource.username=NAME                 its user; SPRING_DATASOURCE_PASSWORD has the password
              --version, -V                                     print the version
              --help, -h                                        print this text

            docs/configuration.md describes these and all other settings. Each is also an environment
            variable: EQUIPOISE_DATA for equipoise.data.
            """;

    private CommandLine() {}

    /** Returns the text that the arguments ask for; empty if they ask to start the service. */
    static Optional<String> answer(String... arguments) {
        List<String> given = List.of(arguments);
        if (given.stream().anyMatch(HELP::contains)) {
            return Optional.of(USAGE.strip());
        }
        return given.stream().anyMatch(VERSION::contains)
                ? Optional.of(
                        "equipoise service %s (protocol %s)"
                                .formatted(SoftwareVersion.OWN, ProtocolVersion.OWN))
                : Optional.empty();
    }
}
