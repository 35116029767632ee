package dev.equipoise.testing.language;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.toMap;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/** Limits of the sizes of files, methods and constructors; a finding says what is too large. */
final class Measures extends TreePathScanner<@Nullable Void, SourceFile> {

    private static final int FILE_LINES = 500;
    private static final int METHOD_LINES = 50;
    private static final int METHOD_LINES_P90 = 15;
    private static final int METHOD_LINES_P99 = 35;
    private static final int PARAMETERS = 9;

    private final SourcePositions positions;
    private final List<String> findings = new ArrayList<>();
    private final Map<String, List<Method>> methods = new TreeMap<>();

    private Measures(SourcePositions positions) {
        this.positions = positions;
    }

    private record Method(String place, int lines) {}

    /** Returns what exceeds the limits in some Java sources. */
    static List<String> check(List<SourceFile> files) {
        JavacTask task =
                (JavacTask)
                        ToolProvider.getSystemJavaCompiler()
                                .getTask(
                                        null,
                                        null,
                                        _ -> {},
                                        List.of("-proc:none"),
                                        null,
                                        files.stream().map(Source::new).toList());
        var measures = new Measures(Trees.instance(task).getSourcePositions());
        Map<String, SourceFile> byPath = files.stream().collect(toMap(SourceFile::path, it -> it));
        try {
            for (CompilationUnitTree unit : task.parse()) {
                String path = unit.getSourceFile().toUri().getPath().substring(1);
                measures.scan(unit, requireNonNull(byPath.get(path)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        for (SourceFile file : files) {
            int lines = (int) file.text().lines().count();
            measures.limit(file.path(), lines, FILE_LINES, "lines", "move a part to a new type");
        }
        measures.methods.forEach(measures::checkMethods);
        return measures.findings;
    }

    private void checkMethods(String module, List<Method> all) {
        List<Method> sorted = all.stream().sorted(Comparator.comparingInt(Method::lines)).toList();
        checkPercentile(module, sorted, 90, METHOD_LINES_P90);
        checkPercentile(module, sorted, 99, METHOD_LINES_P99);
    }

    private void checkPercentile(String module, List<Method> sorted, int percent, int limit) {
        int rank = (sorted.size() * percent + 99) / 100;
        long tooLong = sorted.stream().limit(rank).filter(it -> it.lines > limit).count();
        if (tooLong > 0) {
            findings.add(
                    ("%s: %d %% of the methods have at most %d lines, the limit is %d: methods to"
                                    + " shorten: %d")
                            .formatted(
                                    module, percent, sorted.get(rank - 1).lines, limit, tooLong));
        }
    }

    @Override
    public @Nullable Void visitMethod(MethodTree method, SourceFile file) {
        if (method.getBody() != null) {
            measure(method, file);
        }
        return super.visitMethod(method, file);
    }

    private void measure(MethodTree method, SourceFile file) {
        int start = start(method);
        int end = (int) positions.getEndPosition(unit(), method);
        int lines = (int) file.text().substring(start, end).strip().lines().count();
        boolean isConstructor = method.getReturnType() == null;
        String place = file.at(start) + ": " + (isConstructor ? "constructor" : method.getName());
        methods.computeIfAbsent(file.module(), _ -> new ArrayList<>())
                .add(new Method(place, lines));
        limit(place, lines, METHOD_LINES, "lines", "move its steps to methods");
        if (isConstructor && !isInRecord()) {
            int parameters = method.getParameters().size();
            limit(place, parameters, PARAMETERS, "parameters", "group them or split the type");
        }
    }

    private void limit(String place, int found, int limit, String unit, String remedy) {
        if (found > limit) {
            findings.add(
                    "%s has %d %s, more than %d: %s".formatted(place, found, unit, limit, remedy));
        }
    }

    /** Returns where the signature begins, without documentation and annotations. */
    private int start(MethodTree method) {
        var annotations = method.getModifiers().getAnnotations();
        return (int)
                (annotations.isEmpty()
                        ? positions.getStartPosition(unit(), method)
                        : positions.getEndPosition(unit(), annotations.getLast()));
    }

    private CompilationUnitTree unit() {
        return getCurrentPath().getCompilationUnit();
    }

    private boolean isInRecord() {
        return getCurrentPath().getParentPath().getLeaf().getKind() == Tree.Kind.RECORD;
    }

    private static final class Source extends SimpleJavaFileObject {

        private final String text;

        private Source(SourceFile file) {
            super(URI.create("string:///" + file.path()), JavaFileObject.Kind.SOURCE);
            this.text = file.text();
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
