package dev.equipoise.app.account;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.equipoise.app.file.PrivateFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * Creates an administrator's token at the first start if the settings name none. Its text is
 * written once: to the file that the settings name, readable by its owner only, or to standard
 * output; never to the log.
 */
@Component
class BootstrapAdministrator implements ApplicationRunner {

    private static final Logger log = LoggerFactory.getLogger(BootstrapAdministrator.class);

    /** The prefix of every user token. */
    private static final String TOKEN_PREFIX = "eqp_";

    private final Tokens tokens;
    private final AccountSettings settings;

    BootstrapAdministrator(Tokens tokens, AccountSettings settings) {
        this.tokens = tokens;
        this.settings = settings;
    }

    /** Runs in one transaction, so that a token that could not be written is not stored. */
    @Override
    @Transactional
    public void run(ApplicationArguments arguments) {
        if (!tokens.hasAdministrator()) {
            String text = tokens.issueFirst().secret().text();
            if (settings.administratorTokenFile() == null) {
                System.out.println("Administrator token, shown this once: " + text);
            } else {
                write(settings.administratorTokenFile(), text);
                log.info("administrator token written to {}", settings.administratorTokenFile());
            }
        }
    }

    static void write(Path file, String text) {
        try {
            requireReplaceable(file);
            PrivateFile.write(file, text + System.lineSeparator());
        } catch (IOException failure) {
            throw new UncheckedIOException(
                    "the administrator token cannot be written to " + file, failure);
        }
    }

    private static void requireReplaceable(Path file) throws IOException {
        // An earlier version left an empty file when the disk was full.
        if (Files.exists(file)
                && Files.size(file) > 0
                && !Files.readString(file, ISO_8859_1).startsWith(TOKEN_PREFIX)) {
            throw new FileSystemException(
                    file.toString(),
                    null,
                    "contains something other than a token and is not overwritten");
        }
    }
}
