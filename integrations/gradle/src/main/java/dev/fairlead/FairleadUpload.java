package dev.fairlead;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.gradle.api.DefaultTask;
import org.gradle.api.GradleException;
import org.gradle.api.tasks.Input;
import org.gradle.api.tasks.Optional;
import org.gradle.api.tasks.TaskAction;

/** Uploads an APK, with its mapping, by the command line of Fairlead. The token comes from FAIRLEAD_TOKEN alone. */
public class FairleadUpload extends DefaultTask {
    static final String VERSION = "0.1.0";

    private Object file;
    private Object mapping;
    private String notes;

    /** The APK: a file, a path, or a provider of one. */
    @Input
    public Object getFile() {
        return file;
    }

    public void setFile(Object file) {
        this.file = file;
    }

    /** The mapping of R8, if code was shrunk. */
    @Input
    @Optional
    public Object getMapping() {
        return mapping;
    }

    public void setMapping(Object mapping) {
        this.mapping = mapping;
    }

    /** Release notes, in Markdown. */
    @Input
    @Optional
    public String getNotes() {
        return notes;
    }

    public void setNotes(String notes) {
        this.notes = notes;
    }

    @TaskAction
    public void upload() {
        FairleadExtension settings = getProject().getExtensions().getByType(FairleadExtension.class);
        String server = settings.server != null ? settings.server : System.getenv("FAIRLEAD_URL");
        if (server == null || server.isEmpty()) {
            throw new GradleException("Set fairlead.server or FAIRLEAD_URL to the address of the server");
        }
        if (file == null) {
            throw new GradleException("The task " + getName() + " has no file");
        }
        getProject().exec(spec -> {
            spec.commandLine(listWords(settings, server));
            spec.environment("FAIRLEAD_URL", server);
        });
    }

    private List<String> listWords(FairleadExtension settings, String server) {
        List<String> words = new ArrayList<>(settings.command);
        if (words.isEmpty()) {
            String tarball = server + "/cli/fairlead-" + VERSION + ".tgz";
            words.addAll(Arrays.asList("npx", "--yes", "--package", tarball, "--", "fairlead"));
        }
        words.addAll(Arrays.asList("builds", "upload", getProject().file(file).getPath(), "--no-qr"));
        add(words, "--app", settings.app);
        add(words, "--mapping", mapping == null ? null : getProject().file(mapping).getPath());
        add(words, "--notes", notes);
        for (String group : settings.groups) {
            add(words, "--group", group);
        }
        if (settings.notify) {
            words.add("--notify");
        }
        return words;
    }

    private static void add(List<String> words, String flag, String value) {
        if (value != null && !value.isEmpty()) {
            words.add(flag);
            words.add(value);
        }
    }
}
