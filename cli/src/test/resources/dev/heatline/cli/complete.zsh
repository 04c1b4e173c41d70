# What zsh makes of lines when Tab is pressed at their ends: complete.zsh SCRIPT LINE...
# A shell of its own behind a terminal, because zsh completes nowhere else.
zmodload zsh/zpty
zpty shell 'TERM=dumb zsh -f -i'
zpty -w shell "source ${(q)1}
tab() { zle complete-word; print -r -- \"<<\$BUFFER>>\"; BUFFER= }
zle -N tab; bindkey '^I' tab; print '<''<ready>>'"
zpty -r shell said '*<<ready>>*' || { print -r -- "$said"; exit 1 }
for line in "${@:2}"; do
    zpty -n -w shell "$line"$'\t'
    zpty -r shell said '*<<*>>*'
    print -r -- "${${said##*<<}%%>>*}"
done
