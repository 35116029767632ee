package dev.equipoise.testing.language;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * A source file or page of the repository.
 *
 * @param path relative to the root of the repository, for example {@code app/src/main/java/A.java}
 */
record SourceFile(String path, String text) {

    private static final Set<String> BUILT = Set.of("target", "node_modules", "dist");

    /**
     * Reads the Java, TypeScript and Python sources of the repository, sorted by path.
     *
     * @param root folder of the parent pom
     * @throws UncheckedIOException if a file cannot be read
     */
    static List<SourceFile> allBelow(Path root) {
        return read(root, ".*\\.(java|tsx?|py)");
    }

    /**
     * Reads the README and all pages below {@code docs}, sorted by path.
     *
     * @param root folder of the parent pom
     * @throws UncheckedIOException if a file cannot be read
     */
    static List<SourceFile> pagesBelow(Path root) {
        return read(root, "README\\.md|docs/.*\\.md");
    }

    private static List<SourceFile> read(Path root, String paths) {
        var files = new ArrayList<SourceFile>();
        try {
            Files.walkFileTree(
                    root,
                    new SimpleFileVisitor<>() {
                        @Override
                        public FileVisitResult preVisitDirectory(
                                Path folder, BasicFileAttributes attributes) {
                            return isOfSources(root.relativize(folder))
                                    ? FileVisitResult.CONTINUE
                                    : FileVisitResult.SKIP_SUBTREE;
                        }

                        @Override
                        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                                throws IOException {
                            String path = root.relativize(file).toString().replace('\\', '/');
                            if (path.matches(paths)) {
                                files.add(new SourceFile(path, Files.readString(file)));
                            }
                            return FileVisitResult.CONTINUE;
                        }
                    });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        files.sort(Comparator.comparing(SourceFile::path));
        return files;
    }

    private static boolean isOfSources(Path folder) {
        String name = folder.getFileName().toString();
        return !name.startsWith(".") && !BUILT.contains(name);
    }

    /** Returns the first folder of the path, which is the Maven module. */
    String module() {
        return path.substring(0, Math.max(0, path.indexOf('/')));
    }

    /** Returns {@code path:line} of an offset in the text. */
    String at(int offset) {
        return path
                + ":"
                + (1 + text.substring(0, offset).chars().filter(it -> it == '\n').count());
    }
}
