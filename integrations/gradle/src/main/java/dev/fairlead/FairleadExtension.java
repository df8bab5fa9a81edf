package dev.fairlead;

import java.util.ArrayList;
import java.util.List;

/** The block {@code fairlead} of a build script: what all uploads of the project share. */
public class FairleadExtension {
    /** Address of the server; FAIRLEAD_URL unless set. */
    public String server;

    /** Alias of the application; found by the identifier in the file unless set. */
    public String app;

    /** Names of the groups that get the build. */
    public List<String> groups = new ArrayList<>();

    /** Whether the testers of the groups get a mail. */
    public boolean notify;

    /** The program and its first arguments; npx with the tarball that the server offers unless set. */
    public List<String> command = new ArrayList<>();
}
