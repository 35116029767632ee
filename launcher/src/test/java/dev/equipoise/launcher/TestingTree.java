package dev.equipoise.launcher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads files of the checkout. */
final class TestingTree {

    private TestingTree() {}

    static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Returns the source of a test class, or of a file at its path from the root. */
    static Optional<String> source(String name) {
        return Stream.concat(
                        Stream.of(TestingCommand.HOME.resolve(name)),
                        testFolders().stream().flatMap(it -> named(it, name + ".java")))
                .filter(Files::isRegularFile)
                .findFirst()
                .map(TestingTree::text);
    }

    private static List<Path> testFolders() {
        try (Stream<Path> modules = Files.list(TestingCommand.HOME)) {
            return modules.map(it -> it.resolve("src/test/java"))
                    .filter(Files::isDirectory)
                    .toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Returns the files of a folder and of the folders below it that have a name. */
    static Stream<Path> named(Path folder, String name) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(it -> it.endsWith(name)).toList().stream();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
