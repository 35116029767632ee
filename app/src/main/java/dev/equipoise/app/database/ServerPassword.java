package dev.equipoise.app.database;

import dev.equipoise.app.file.PrivateFile;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.regex.Pattern;

/**
 * The password of the embedded PostgreSQL, without which every account of this machine could read
 * and write all data.
 *
 * @param file contains the text and is readable by its owner only
 */
record ServerPassword(Path file, String text) {

    private static final int BITS = 256;
    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_-]+");

    /**
     * Reads the password from the file.
     *
     * @throws FileSystemException if the file contains anything else, which no server would accept
     */
    static ServerPassword read(Path file) throws IOException {
        String text = Files.readString(file).strip();
        if (!WORD.matcher(text).matches()) {
            throw new FileSystemException(
                    file.toString(), null, "must contain one word of letters, digits, - and _");
        }
        return new ServerPassword(file, text);
    }

    /** Creates a password and writes it to the file. */
    static ServerPassword make(Path file, SecureRandom random) throws IOException {
        byte[] bytes = new byte[BITS / Byte.SIZE];
        random.nextBytes(bytes);
        String text = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        PrivateFile.write(file, text + "\n");
        return new ServerPassword(file, text);
    }

    /** Omits the text, which would end up in a log. */
    @Override
    public String toString() {
        return "the password in " + file;
    }
}
